/** JSON arrays as PostgreSQL's array literals. Every element is converted to the element type, so that no digit is rounded. */
import type { Type } from '../table.ts';
import type { Json } from '../value.ts';
import type { Converted } from './converted.ts';

type Convert = (json: Json, type: Type) => Converted;

/** PostgreSQL's bound. */
const maxDimensions = 6;

/** A JSON array, or an array literal such as `{1,NULL,"a b"}`; null for what is neither, or has rows of unequal length. */
export function arrayOf(json: Json, of: Type, convert: Convert): Converted | null {
  const items = Array.isArray(json) ? json : typeof json === 'string' ? parseLiteral(json) : null;
  // What stands in a list of documents is a document, a list too.
  if (items === null || (of.kind !== 'json' && shape(items) === null)) return null;
  return literal(items, of, convert);
}

function literal(items: readonly Json[], of: Type, convert: Convert): Converted {
  const parts: string[] = [];
  for (const item of items) {
    if (item === null) {
      parts.push('NULL');
      continue;
    }
    const nested = isList(item) && of.kind !== 'json';
    const converted = nested ? literal(item, of, convert) : convert(item, of);
    if (converted.is !== 'value') return converted;
    const text = typeof converted.value === 'string' ? converted.value : hex(converted.value);
    parts.push(nested ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`);
  }
  return { is: 'value', value: `{${parts.join(',')}}` };
}

/** Bytes as every engine of ours writes and shows them. */
export function hex(bytes: Uint8Array): string {
  return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The lengths of the dimensions, outermost first; null where rows differ, or a row of an array is empty. */
function shape(items: readonly Json[]): readonly number[] | null {
  const lists = items.filter(isList);
  if (lists.length === 0) return [items.length];
  const [first, ...others] = lists.map(shape);
  const equal = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  if (first === undefined || first === null || !equal || lists.length < items.length) return null;
  return first.includes(0) || first.length === maxDimensions ? null : [items.length, ...first];
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

/** Reads `{a,"b c",NULL,{d}}`; every element is text. Null where it is no literal. */
function parseLiteral(text: string): readonly Json[] | null {
  const token = /\s*(?:([{}])|"((?:[^"\\]|\\[\s\S])*)"|([^\s{},"\\](?:[^{},"\\]|\\[\s\S])*))\s*(,?)/y;
  const open: Json[][] = [];
  let done: Json[] | null = null;
  let comma = true;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    const inner = open.at(-1);
    if (match === null || done !== null) return null;
    const [, brace, quoted, bare, separator] = match;
    if (brace === '{') {
      if ((open.length > 0 && !comma) || separator === ',') return null;
      open.push([]);
      comma = true;
      continue;
    }
    if (brace === '}') {
      if (inner === undefined || (comma && inner.length > 0)) return null;
      open.pop();
      const outer = open.at(-1);
      if (outer === undefined) done = inner;
      else outer.push(inner);
    } else {
      if (inner === undefined || !comma) return null;
      const plain = (quoted ?? bare?.trimEnd() ?? '').replace(/\\([\s\S])/g, '$1');
      inner.push(quoted === undefined && /^null$/i.test(plain) ? null : plain);
    }
    comma = separator === ',';
    if (comma && done !== null) return null;
  }
  return done;
}
