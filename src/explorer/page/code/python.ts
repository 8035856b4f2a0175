import { hasRaw, isList, isObject, type Json } from '../ask/json.ts';
import type { Program } from './wanted.ts';

/** A script for Python 3 that needs only the standard library. */
export const python: Program = (wanted) => {
  const isFile = wanted.kind === 'file';
  const imports = ['json', ...(wanted.hasToken ? ['os'] : []), 'urllib.request'].filter(
    (name) => !isFile || name !== 'json',
  );
  const headers = [
    ...(isFile ? [] : ['"Content-Type": "application/json"']),
    ...(wanted.hasToken ? ['"Authorization": os.environ["TOKEN"]'] : []),
  ];
  const request = `request = urllib.request.Request(\n    ${JSON.stringify(wanted.url)},${
    isFile ? '' : `\n    data=${dataOf(wanted.params)}.encode(),`
  }${headers.length === 0 ? '' : `\n    headers={${headers.join(', ')}},`}\n)`;
  const printed = wanted.kind === 'records' ? 'result["total"], result["records"]' : 'json.dumps(result, indent=2)';
  const read = !isFile
    ? `with urllib.request.urlopen(request) as response:\n    result = json.load(response)["result"]\nprint(${printed})`
    : 'with urllib.request.urlopen(request) as response, open("records.csv", "wb") as file:\n    while part := response.read(65536):\n        file.write(part)';
  return `${imports.map((name) => `import ${name}`).join('\n')}\n\n${request}\n${read}`;
};

/** The body as an expression. If Python would round a number in it, as JavaScript would, the JSON stays a string literal. */
function dataOf(params: Json): string {
  return hasRaw(params) ? JSON.stringify(JSON.stringify(params)) : `json.dumps(${literal(params, '    ')})`;
}

function literal(value: Json, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const inner = `${indent}    `;
  if (isList(value)) return `[${value.map((one) => literal(one, inner)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${inner}${JSON.stringify(name)}: ${literal(one, inner)},\n`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}
