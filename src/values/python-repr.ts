/** Pure. JSON as Python prints it, for CKAN's messages. */
import { isLosslessNumber } from 'lossless-json';
import type { Json } from '../model/value.ts';
import { isList } from './json.ts';
import { truncate } from './truncate.ts';

/** At most 200 characters of Python's `repr`. */
export function pythonRepr(json: Json): string {
  return truncate(repr(json));
}

function repr(json: Json): string {
  if (json === null) return 'None';
  if (json === true) return 'True';
  if (json === false) return 'False';
  if (typeof json === 'string') return quoted(json);
  if (typeof json === 'number') return String(json);
  if (isLosslessNumber(json)) return json.value;
  if (isList(json)) return `[${json.map(repr).join(', ')}]`;
  return `{${Object.entries(json)
    .map(([name, value]) => `${quoted(name)}: ${repr(value)}`)
    .join(', ')}}`;
}

/** Python uses double quotes only if that saves an escape. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const inner = text.replace(
    /[\\\n\r\t']/g,
    (one) => escapes[one] ?? (one === quote || one === '\\' ? `\\${one}` : one),
  );
  return `${quote}${inner}${quote}`;
}
