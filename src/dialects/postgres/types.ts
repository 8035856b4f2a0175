import { choice, type Type } from '../../model/table.ts';

/** The columns of pg_type that we read. */
export interface PgType {
  readonly oid: number;
  readonly name: string;
  /** b base, d domain, e enum, c composite, r range, m multirange, p pseudo. */
  readonly kind: string;
  /** An array's element type; else 0. */
  readonly element: number;
  readonly base: number;
  readonly baseModifier: number;
  /** Labels of an enum. */
  readonly labels: readonly string[];
}

const int = (wire: 'int2' | 'int4' | 'int8', bits: bigint): Type => ({
  kind: 'int',
  wire,
  min: -(2n ** (bits - 1n)),
  max: 2n ** (bits - 1n) - 1n,
});
const text = (length: number | null, padded: boolean): Type => ({ kind: 'text', length, padded, nul: false });
const opaque = (wire: string, digits: number): Type => ({ kind: 'opaque', wire, comparable: true, digits });

/** Creates the type for a built-in type's name. `modifier` is atttypmod (-1: none), `major` the server's version. */
const builtIn: Record<string, (modifier: number, major: number) => Type> = {
  int2: () => int('int2', 16n),
  int4: () => int('int4', 32n),
  int8: () => int('int8', 64n),
  oid: () => ({ kind: 'int', wire: 'int8', min: 0n, max: 2n ** 32n - 1n }),
  numeric: decimal,
  float4: () => ({ kind: 'float', bits: 32, nan: true }),
  float8: () => ({ kind: 'float', bits: 64, nan: true }),
  bool: () => ({ kind: 'bool' }),
  text: () => text(null, false),
  varchar: (modifier) => text(modifier < 0 ? null : modifier - 4, false),
  bpchar: (modifier) => text(modifier < 0 ? null : modifier - 4, true),
  name: () => ({ kind: 'text', length: 63, padded: false, nul: false, bytes: 63 }),
  citext: () => text(null, false),
  date: () => ({ kind: 'date', infinite: true }),
  time: (modifier) => ({ kind: 'time', digits: modifier < 0 ? 6 : modifier, span: false }),
  timestamp: (modifier) => ({ kind: 'timestamp', digits: modifier < 0 ? 6 : modifier, zoned: false, infinite: true }),
  timestamptz: (modifier) => ({ kind: 'timestamp', digits: modifier < 0 ? 6 : modifier, zoned: true, infinite: true }),
  json: () => ({ kind: 'json', binary: false, finds: 'numeric' }),
  jsonb: () => ({ kind: 'json', binary: true, finds: 'numeric' }),
  bytea: () => ({ kind: 'binary', length: null }),
  bit: (modifier) => ({ kind: 'bits', length: modifier < 0 ? null : modifier, varying: false }),
  varbit: (modifier) => ({ kind: 'bits', length: modifier < 0 ? null : modifier, varying: true }),
  uuid: () => ({ kind: 'uuid' }),
  money: () => opaque('money', 2),
  timetz: (modifier) => opaque('timetz', modifier < 0 ? 6 : modifier),
  // The low half of the modifier is the precision; all bits set means none.
  interval: (modifier) => opaque('interval', modifier < 0 || (modifier & 0xffff) === 0xffff ? 6 : modifier & 0xffff),
};

/** Types whose text only the server understands. They have an order, and two values are equal if their texts are. */
const comparable = new Set([
  'inet',
  'cidr',
  'macaddr',
  'macaddr8',
  'tsvector',
  'pg_lsn',
  'int4range',
  'int8range',
  'numrange',
  'tsrange',
  'tstzrange',
  'daterange',
]);

/** Arrays that the catalogue itself uses, as in `pg_index.indkey`. */
const vectors: Record<string, 'int2[]' | 'oid[]'> = { int2vector: 'int2[]', oidvector: 'oid[]' };

/**
 * A numeric's modifier has the precision and scale; PostgreSQL 15 made the scale signed, 11 bits wide. PostgreSQL 14 added the infinities,
 * which a precision excludes; an older server refuses a statement that names them.
 */
function decimal(modifier: number, major: number): Type {
  if (modifier < 0)
    return { kind: 'decimal', precision: null, scale: null, nan: true, ...(major >= 14 ? { infinite: true } : {}) };
  const packed = modifier - 4;
  const scale = ((packed & 0x7ff) ^ 1024) - 1024;
  return { kind: 'decimal', precision: (packed >> 16) & 0xffff, scale, nan: true };
}

/** A column's type; a domain is resolved to its base type. Values of an unknown type are read-only texts. */
export function typeOf(oid: number, modifier: number, types: ReadonlyMap<number, PgType>, major: number): Type {
  const type = types.get(oid);
  if (type === undefined) return { kind: 'opaque', wire: 'text', comparable: false };
  if (type.kind === 'd') return typeOf(type.base, type.baseModifier, types, major);
  if (type.kind === 'e') return choice(type.labels, false);
  if (type.element !== 0) {
    const of = typeOf(type.element, modifier, types, major);
    const vector = Object.hasOwn(vectors, type.name) ? vectors[type.name] : undefined;
    if (vector !== undefined) return { kind: 'array', of, vector };
    return of.kind === 'opaque' && !of.comparable
      ? { kind: 'opaque', wire: type.name, comparable: false }
      : { kind: 'array', of };
  }
  const read = Object.hasOwn(builtIn, type.name) ? builtIn[type.name] : undefined;
  return read?.(modifier, major) ?? { kind: 'opaque', wire: type.name, comparable: comparable.has(type.name) };
}

/** Whether it is citext, whose `=` ignores case; a domain compares as its base type. */
export function isCitext(oid: number, types: ReadonlyMap<number, PgType>): boolean {
  return types.get(resultType(oid, types))?.name === 'citext';
}

/** The type that a query result reports for a column: for a domain, its base type. */
export function resultType(oid: number, types: ReadonlyMap<number, PgType>): number {
  const type = types.get(oid);
  return type?.kind === 'd' ? resultType(type.base, types) : oid;
}
