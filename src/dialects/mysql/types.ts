import { choice, type IntWire, type Type } from '../../model/table.ts';

/** A column's type, from information_schema.columns. */
export interface MysqlType {
  /** `int`, `varchar` … */
  readonly data: string;
  /** `int(10) unsigned zerofill`, `enum('a','b')` … */
  readonly full: string;
  readonly characters: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly fraction: number;
  /** MariaDB's JSON is a LONGTEXT with a check. */
  readonly isJson: boolean;
  /** Whether the server has JSON_NORMALIZE (MariaDB 10.7 and newer). */
  readonly normalizes: boolean;
  /** Whether a TIME may have a fraction in its last second, 838:59:59. */
  readonly lastSecond: boolean;
}

/** The bits of an integer type, and the types that the API reports for signed and unsigned columns (docs/data-types.md). */
type Int = readonly [bits: bigint, signed: IntWire, unsigned: IntWire];
const ints: ReadonlyMap<string, Int> = new Map<string, Int>([
  ['tinyint', [8n, 'int2', 'int2']],
  ['smallint', [16n, 'int2', 'int4']],
  ['mediumint', [24n, 'int4', 'int4']],
  ['int', [32n, 'int4', 'int8']],
  ['bigint', [64n, 'int8', 'numeric']],
]);

export function typeOf(type: MysqlType): Type {
  const int = ints.get(type.data);
  if (int !== undefined) return intType(int, type.full);
  if (type.isJson) return { kind: 'json', binary: false, finds: type.normalizes ? 'any' : null };
  switch (type.data) {
    case 'year':
      return { kind: 'int', wire: 'int4', min: 1901n, max: 2155n, zero: true };
    case 'decimal':
      return { kind: 'decimal', precision: type.precision, scale: type.scale, nan: false };
    case 'float':
    case 'double': {
      const bits = type.data === 'float' ? 32 : 64;
      return { kind: 'float', bits, nan: false, ...(type.scale === null ? {} : { scale: type.scale }) };
    }
    case 'char':
    case 'varchar':
      return { kind: 'text', length: type.characters, padded: type.data === 'char', nul: true };
    case 'tinytext':
    case 'text':
    case 'mediumtext':
    case 'longtext':
      return { kind: 'text', length: null, padded: false, nul: true };
    case 'enum':
    case 'set':
      return choice(['', ...labels(type.full)], type.data === 'set');
    case 'date':
      return { kind: 'date', infinite: false, zero: true };
    case 'time':
      return { kind: 'time', digits: type.fraction, span: true, lastSecond: type.lastSecond };
    case 'datetime':
    case 'timestamp':
      return { kind: 'timestamp', digits: type.fraction, zoned: false, infinite: false, zero: true };
    case 'json':
      return { kind: 'json', binary: false, finds: 'double' };
    case 'binary':
    case 'varbinary':
    case 'tinyblob':
    case 'blob':
    case 'mediumblob':
    case 'longblob':
      return { kind: 'binary', length: type.characters };
    case 'bit':
      return { kind: 'bits', length: type.precision, varying: false };
    case 'uuid':
      return { kind: 'uuid' };
    case 'inet4':
    case 'inet6':
      return { kind: 'opaque', wire: 'inet', comparable: true, form: type.data };
    case 'vector':
      return { kind: 'binary', length: null };
    default:
      return {
        kind: 'opaque',
        wire: /geom|point|line|polygon/.test(type.data) ? 'geometry' : 'text',
        comparable: false,
      };
  }
}

function intType([bits, signed, unsigned]: Int, full: string): Type {
  const flag = /^tinyint\(1\)/i.test(full) ? { flag: true as const } : {};
  return /unsigned|zerofill/.test(full)
    ? { kind: 'int', wire: unsigned, min: 0n, max: 2n ** bits - 1n, ...flag }
    : { kind: 'int', wire: signed, min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n, ...flag };
}

/** The labels of `enum('a','it''s')`. */
function labels(full: string): readonly string[] {
  const escapes: Record<string, string> = { "''": "'", '\\\\': '\\', '\\0': '\0', '\\n': '\n', '\\r': '\r' };
  return [...full.matchAll(/'((?:[^'\\]|''|\\.)*)'/g)].map((match) =>
    (match[1] ?? '').replace(/''|\\[\\0nr]/g, (found) => escapes[found] ?? found),
  );
}

/** The name that the driver gives to this type in a result (`execute/drivers/mysql/types.ts`). */
export function resultType(data: string, type: Type): string {
  switch (type.kind) {
    case 'int':
    case 'decimal':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'binary':
      return type.kind;
    case 'float':
      return type.bits === 32 ? 'float' : 'double';
    case 'bits':
      return `bit(${type.length})`;
    case 'json':
      return data === 'json' ? 'json' : 'text';
    default:
      return type.kind === 'opaque' && type.wire === 'geometry' ? 'geometry' : 'text';
  }
}
