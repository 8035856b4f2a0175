/** The protocol's types of a result's columns. */
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
/** The character set of bytes. */
const binary = 63;

/** The protocol's number of a column's type → a word that stays the same when an expression passes the column on. */
export function typeOf(field: FieldPacket): string {
  const type = field.columnType ?? -1;
  if (type === bit) return `bit(${field.columnLength})`;
  return plainTypes[type] ?? (field.characterSet === binary ? 'binary' : 'text');
}

/** Integers of up to 32 bits, YEAR and floats. Others have more digits than a number. */
const numbers: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 9, 13]);
/** ASCII and JSON, although their character set is that of bytes. */
const texts: ReadonlySet<number> = new Set([0, 7, 8, 10, 11, 12, 245, 246]);

/** A cell of a column → its value, as the driver would read it: it believes the length of a cell. */
export function cellReader(field: FieldPacket): (bytes: Buffer, start: number, end: number) => Cell {
  const type = field.columnType ?? -1;
  if (numbers.has(type))
    return (bytes, start, end) => wholeNumber(bytes, start, end) ?? Number(bytes.toString('latin1', start, end));
  if (texts.has(type) || field.characterSet !== binary)
    return (bytes, start, end) => bytes.toString('utf8', start, end);
  return (bytes, start, end) => bytes.subarray(start, end);
}

/** The number that these digits are; null where they have a sign, a dot or an exponent. Most have none, and need no string. */
function wholeNumber(bytes: Buffer, start: number, end: number): number | null {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return end - start > 15 ? null : number;
}
