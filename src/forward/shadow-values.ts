/** Pure. Spells values that mean the same in the same way, whatever column types the two sites have. */
import { LosslessNumber } from 'lossless-json';
import type { Json } from '../model/value.ts';
import { parseMoment } from '../values/datetime.ts';
import { parseDecimal } from '../values/decimal.ts';
import { isList, isObject } from '../values/json.ts';

/** How a column's values are read before they are compared. */
export type Reading = 'double' | 'number' | 'time' | 'bool' | 'text';

/** PostgreSQL's type names, as CKAN shows them. Values of any other type are read as text, which leaves them unchanged. */
const readings: ReadonlyMap<string, Reading> = new Map([
  ...['float4', 'float8', 'float', 'double precision', 'real'].map((type) => [type, 'double'] as const),
  ...['int', 'int2', 'int4', 'int8', 'integer', 'bigint', 'numeric'].map((type) => [type, 'number'] as const),
  ...['timestamp', 'timestamptz', 'date'].map((type) => [type, 'time'] as const),
  ['bool', 'bool'],
]);
/** Where the types of two sites differ, the first of these readings counts: a text can be read as a number, but not the other way round. */
const order: readonly Reading[] = ['double', 'number', 'time', 'bool', 'text'];

/** How to read a column that has these types at two sites, and whether the types mean the same to programs. */
export function readingOf(ours: string, theirs: string): { readonly reading: Reading; readonly isSameType: boolean } {
  const both = [ours, theirs].map((type) => readings.get(type) ?? 'text');
  const reading = order.find((one) => both.includes(one)) ?? 'text';
  const isNumber = both.every((one) => one === 'double' || one === 'number');
  const isSameType = ours === theirs || isNumber || (reading === 'text' && isPlain(ours) === isPlain(theirs));
  return { reading, isSameType };
}

/** Whether JSON has the values of the type as texts, like those of `text`. */
const isPlain = (type: string): boolean => !/^_|\[\]$|^jsonb?$|^nested$/.test(type);

/** The text that equal values share; null for NULL. */
export function canonical(value: Json, reading: Reading): string | null {
  if (value === null) return null;
  if (isList(value) || isObject(value)) return JSON.stringify(sorted(value));
  const text = value instanceof LosslessNumber ? value.value : String(value);
  switch (reading) {
    case 'double':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : String(Number(text));
    case 'number':
      return decimal(text);
    case 'time':
      return moment(text);
    case 'bool':
      return /^(?:true|t|1)$/i.test(text) ? 'true' : /^(?:false|f|0)$/i.test(text) ? 'false' : text;
    case 'text':
      return text;
  }
}

function decimal(text: string): string {
  const number = parseDecimal(text);
  if (number === null) return text;
  const { negative, digits, exponent } = number;
  return digits === '' ? '0' : `${negative ? '-' : ''}${digits}e${exponent}`;
}

/** A date counts as its midnight, and a time without a zone as UTC. CKAN cuts times to milliseconds. */
function moment(text: string): string {
  const read = parseMoment(text.replace(/(\.\d{3})\d+/, '$1'), { digits: 3, zoned: true, infinite: true }, false);
  return read === null || read === 'beyond' || read === 'digits' ? text : read;
}

/** The same document with each object's members sorted by name, and numbers by value. */
function sorted(value: Json): unknown {
  if (isList(value)) return value.map(sorted);
  if (isObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return { members: members.map(([name, one]) => [name, sorted(one)]) };
  }
  return typeof value === 'number' || value instanceof LosslessNumber ? { number: canonical(value, 'number') } : value;
}
