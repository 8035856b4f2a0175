import { hasRaw, type JsonObject } from '../ask/json.ts';
import { indented, type Program } from './wanted.ts';

/** A module for Node 18, Deno, Bun and browsers. */
export const javascript: Program = (wanted) => {
  const isFile = wanted.kind === 'file';
  const headers = [
    ...(isFile ? [] : ['"Content-Type": "application/json"']),
    ...(wanted.hasToken ? ['Authorization: process.env.TOKEN'] : []),
  ];
  const options = [
    ...(isFile ? [] : ['method: "POST"']),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(isFile ? [] : [`body: ${bodyOf(wanted.params)}`]),
  ];
  const sent = options.length === 0 ? '' : `, {\n${options.map((one) => `  ${one},\n`).join('')}}`;
  const fetched = `const response = await fetch(${JSON.stringify(wanted.url)}${sent});\nif (!response.ok) throw new Error(await response.text());`;
  if (isFile) return `${fetched}\nfor await (const part of response.body) process.stdout.write(part);`;
  const printed = wanted.kind === 'records' ? 'result.total, result.records' : 'JSON.stringify(result, null, 2)';
  return `${fetched}\nconst { result } = await response.json();\nconsole.log(${printed});`;
};

/** The body as an expression. If JavaScript would round a number in it, the JSON stays a string literal. */
function bodyOf(params: JsonObject): string {
  if (hasRaw(params)) return JSON.stringify(JSON.stringify(params));
  return `JSON.stringify(${indented(params).replaceAll('\n', '\n  ')})`;
}
