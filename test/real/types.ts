/** Converts a client's output into the API's answer, for the types in these two databases. */
import { stringify } from 'lossless-json';
import type { RealColumn, RealTable } from './databases.ts';

interface RealType {
  /** Its name in `fields`. */
  readonly wire: string;
  /** Converts the client's output for a value into JSON. */
  json(printed: string): string;
  /** The expression to select if the column itself is not text. */
  select?(quoted: string): string;
}

const digits = (wire: string): RealType => ({ wire, json: (printed) => printed });
const text: RealType = { wire: 'text', json: quoted };
const timestamp: RealType = { wire: 'timestamp', json: (printed) => quoted(`${printed.replace(' ', 'T')}.000`) };

const types: Readonly<Record<string, RealType>> = {
  tinyint: digits('int2'),
  'tinyint unsigned': digits('int2'),
  smallint: digits('int2'),
  'smallint unsigned': digits('int4'),
  'mediumint unsigned': digits('int4'),
  int: digits('int4'),
  integer: digits('int4'),
  year: digits('int4'),
  decimal: digits('numeric'),
  real: digits('float4'),
  char: text,
  varchar: text,
  'character varying': text,
  text,
  mediumtext: text,
  longtext: text,
  enum: text,
  set: text,
  date: { wire: 'date', json: quoted },
  datetime: timestamp,
  timestamp,
  bytea: { wire: 'bytea', json: quoted },
  blob: { wire: 'bytea', json: (printed) => quoted(printed.replace(/^0x/, '\\x').toLowerCase()) },
  geometry: { wire: 'geometry', json: quoted, select: (column) => `ST_AsText(${column})` },
};

/** A column that the configuration declares as boolean. */
const boolean: RealType = { wire: 'bool', json: (printed) => String(printed !== '0') };
export const booleans: Readonly<Record<string, string>> = { customer: 'active' };

/** The order of this list is arbitrary: the view uses GROUP_CONCAT without ORDER BY. */
export const unordered = 'actors';
export const inOrder = (list: string): string => list.split(', ').sort().join(', ');

export function typeOf(table: RealTable, column: RealColumn): RealType {
  const type = booleans[table.name] === column.name ? boolean : types[column.type];
  if (type === undefined) throw new Error(`${table.name}.${column.name}: no type "${column.type}" in the table above`);
  return column.name === unordered ? { ...type, json: (printed) => type.json(inOrder(printed)) } : type;
}

function quoted(printed: string): string {
  return stringify(printed) ?? '';
}
