/** The types of a result's columns, by the numbers of MySQL's protocol. */
import type { FieldPacket } from 'mysql2';
import type { Cell } from '../../../model/value.ts';

const plainTypes: Readonly<Record<number, string>> = {
  ...{
    0: 'decimal',
    1: 'int',
    2: 'int',
    3: 'int',
    4: 'float',
    5: 'double',
    7: 'timestamp',
    8: 'int',
    9: 'int',
    10: 'date',
  },
  ...{ 11: 'time', 12: 'timestamp', 13: 'int', 245: 'json', 246: 'decimal', 255: 'geometry' },
};
const bit = 16;
/** The number of the character set `binary`. */
const binary = 63;

/** Names the type of a result's column. The name is the same whether a column is selected directly or through an expression. */
export function typeOf(field: FieldPacket): string {
  const type = field.columnType ?? -1;
  if (type === bit) return `bit(${field.columnLength})`;
  return plainTypes[type] ?? (field.characterSet === binary ? 'binary' : 'text');
}

/** Types read as JavaScript numbers: integers of up to 32 bits, YEAR and floats. Other numbers may have more digits. */
const numbers: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 9, 13]);
/** Types read as strings, although the protocol gives them the character set `binary`: their values are ASCII or JSON. */
const texts: ReadonlySet<number> = new Set([0, 7, 8, 10, 11, 12, 245, 246]);

/** Returns a function that reads a cell as the driver would, but also checks the cell's length. */
export function cellReader(field: FieldPacket): (bytes: Buffer, start: number, end: number) => Cell {
  const type = field.columnType ?? -1;
  if (numbers.has(type))
    return (bytes, start, end) => wholeNumber(bytes, start, end) ?? Number(bytes.toString('latin1', start, end));
  if (texts.has(type) || field.characterSet !== binary)
    return (bytes, start, end) => bytes.toString('utf8', start, end);
  return (bytes, start, end) => bytes.subarray(start, end);
}

/** Reads an integer without making a string; null if it has a sign, a dot or an exponent, or is too long to be exact. */
function wholeNumber(bytes: Buffer, start: number, end: number): number | null {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return end - start > 15 ? null : number;
}
