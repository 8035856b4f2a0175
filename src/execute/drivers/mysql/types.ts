/** The protocol's types of a result's columns. */
import type { FieldPacket } from 'mysql2';

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
