import { describe, expect, test } from 'vitest';
import { typeOf } from '../../../src/dialects/postgres/types.ts';
import { choice, type Type } from '../../../src/model/table.ts';
import { open } from '../../support/open-database.ts';
import { engines, freshDatabase } from '../../support/servers/engines.ts';

type Types = Readonly<Record<string, Type>>;

const int = (wire: Extract<Type, { kind: 'int' }>['wire'], min: bigint, max: bigint): Type => ({
  kind: 'int',
  wire,
  min,
  max,
});
const signed = (wire: 'int2' | 'int4' | 'int8', bits: bigint) =>
  int(wire, -(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n);
const text = (length: number | null, nul: boolean, padded = false): Type => ({ kind: 'text', length, padded, nul });
const opaque = (wire: string, comparable: boolean): Type => ({ kind: 'opaque', wire, comparable });
const decimal = (precision: number | null, scale: number | null, nan: boolean): Type => ({
  kind: 'decimal',
  precision,
  scale,
  nan,
});
const unbounded: Type = { kind: 'decimal', precision: null, scale: null, nan: true, infinite: true };
const timestamp = (digits: number, zoned: boolean, infinite: boolean): Type => ({
  kind: 'timestamp',
  digits,
  zoned,
  infinite,
  ...(infinite ? {} : { zero: true }),
});

const postgres: Types = {
  smallint: signed('int2', 16n),
  integer: signed('int4', 32n),
  bigint: signed('int8', 64n),
  oid: int('int8', 0n, 4294967295n),
  numeric: unbounded,
  'numeric(12,2)': decimal(12, 2, true),
  'numeric(12)': decimal(12, 0, true),
  'numeric(1000,1000)': decimal(1000, 1000, true),
  real: { kind: 'float', bits: 32, nan: true },
  'double precision': { kind: 'float', bits: 64, nan: true },
  boolean: { kind: 'bool' },
  text: text(null, false),
  varchar: text(null, false),
  'varchar(40)': text(40, false),
  char: text(1, false, true),
  'char(7)': text(7, false, true),
  bpchar: text(null, false, true),
  name: { kind: 'text', length: 63, padded: false, nul: false, bytes: 63 },
  date: { kind: 'date', infinite: true },
  time: { kind: 'time', digits: 6, span: false },
  'time(2)': { kind: 'time', digits: 2, span: false },
  timestamp: timestamp(6, false, true),
  'timestamp(0)': timestamp(0, false, true),
  timestamptz: timestamp(6, true, true),
  'timestamptz(3)': timestamp(3, true, true),
  json: { kind: 'json', binary: false, finds: 'numeric' },
  jsonb: { kind: 'json', binary: true, finds: 'numeric' },
  bytea: { kind: 'binary', length: null },
  bit: { kind: 'bits', length: 1, varying: false },
  'bit(9)': { kind: 'bits', length: 9, varying: false },
  'bit varying': { kind: 'bits', length: null, varying: true },
  'bit varying(9)': { kind: 'bits', length: 9, varying: true },
  uuid: { kind: 'uuid' },
  mood: choice(['sad', 'it\'s "ok"', 'happy'], false),
  short: text(3, false),
  short_mood: choice(['sad', 'it\'s "ok"', 'happy'], false),
  'integer[]': { kind: 'array', of: signed('int4', 32n) },
  'integer[][]': { kind: 'array', of: signed('int4', 32n) },
  'varchar(3)[]': { kind: 'array', of: text(3, false) },
  'numeric(5,1)[]': { kind: 'array', of: decimal(5, 1, true) },
  'mood[]': { kind: 'array', of: choice(['sad', 'it\'s "ok"', 'happy'], false) },
  list: { kind: 'array', of: signed('int4', 32n) },
  interval: opaque('interval', true),
  int2vector: { kind: 'array', of: signed('int2', 16n), vector: 'int2[]' },
  oidvector: { kind: 'array', of: int('int8', 0n, 4294967295n), vector: 'oid[]' },
  inet: opaque('inet', true),
  cidr: opaque('cidr', true),
  macaddr: opaque('macaddr', true),
  money: opaque('money', true),
  timetz: opaque('timetz', true),
  tsvector: opaque('tsvector', true),
  int4range: opaque('int4range', true),
  tstzrange: opaque('tstzrange', true),
  point: opaque('point', false),
  polygon: opaque('polygon', false),
  pair: opaque('text', false),
  'point[]': opaque('_point', false),
  'pair[]': opaque('_pair', false),
};
const postgresTypes = `CREATE TYPE mood AS ENUM ('sad', 'it''s "ok"', 'happy'); CREATE DOMAIN short AS varchar(3); CREATE DOMAIN short_mood AS mood;
  CREATE DOMAIN list AS integer[]; CREATE TYPE pair AS (a integer, b text);`;

const flag: Type = { kind: 'int', wire: 'int2', min: -128n, max: 127n, flag: true };
const mysql: Types = {
  tinyint: signed('int2', 8n),
  'tinyint(1)': flag,
  boolean: flag,
  'tinyint(4)': signed('int2', 8n),
  'tinyint unsigned': int('int2', 0n, 255n),
  smallint: signed('int2', 16n),
  'smallint unsigned': int('int4', 0n, 65535n),
  mediumint: signed('int4', 24n),
  'mediumint unsigned': int('int4', 0n, 16777215n),
  int: signed('int4', 32n),
  'int unsigned': int('int8', 0n, 4294967295n),
  'int(5) zerofill': int('int8', 0n, 4294967295n),
  bigint: signed('int8', 64n),
  'bigint unsigned': int('numeric', 0n, 18446744073709551615n),
  year: int('int4', 1901n, 2155n),
  decimal: decimal(10, 0, false),
  'decimal(12,2)': decimal(12, 2, false),
  'decimal(65,30)': decimal(65, 30, false),
  float: { kind: 'float', bits: 32, nan: false },
  'float(40)': { kind: 'float', bits: 64, nan: false },
  double: { kind: 'float', bits: 64, nan: false },
  'char(7)': text(7, true, true),
  'varchar(40)': text(40, true),
  'varchar(40) CHARACTER SET latin1': text(40, true),
  tinytext: text(null, true),
  text: text(null, true),
  longtext: text(null, true),
  "enum('a','it''s','x,y','')": choice(['', 'a', "it's", 'x,y', ''], false),
  "set('a','it''s')": choice(['', 'a', "it's"], true),
  date: { kind: 'date', infinite: false, zero: true },
  time: { kind: 'time', digits: 0, span: true },
  'time(3)': { kind: 'time', digits: 3, span: true },
  datetime: timestamp(0, false, false),
  'datetime(6)': timestamp(6, false, false),
  'timestamp(3) NULL': timestamp(3, false, false),
  'binary(3)': { kind: 'binary', length: 3 },
  'varbinary(20)': { kind: 'binary', length: 20 },
  bit: { kind: 'bits', length: 1, varying: false },
  'bit(64)': { kind: 'bits', length: 64, varying: false },
  geometry: opaque('geometry', false),
  point: opaque('geometry', false),
  polygon: opaque('geometry', false),
  multipolygon: opaque('geometry', false),
};
const json = (finds: 'double' | 'any'): Types => ({ json: { kind: 'json', binary: false, finds } });
const typesOf: Readonly<Record<string, Types>> = {
  postgres,
  pglite: postgres,
  mysql56: mysql,
  mysql: { ...mysql, ...json('double'), 'vector(3)': { kind: 'binary', length: null } },
  mariadb: { ...mysql, ...json('any'), uuid: { kind: 'uuid' }, inet6: opaque('inet', true) },
};

test('PostgreSQL has numeric infinities from version 14 on, where the column has no precision', () => {
  const numeric = {
    oid: 1700,
    name: 'numeric',
    kind: 'b',
    element: 0,
    base: 0,
    baseModifier: -1,
    labels: [],
  };
  const numericOf = (modifier: number, major: number) => typeOf(1700, modifier, new Map([[1700, numeric]]), major);
  for (const old of [12, 13]) expect(numericOf(-1, old)).toEqual(decimal(null, null, true));
  expect(numericOf(-1, 14)).toEqual(unbounded);
  expect(numericOf((5 << 16) + 2 + 4, 14)).toEqual(decimal(5, 2, true));
});

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (name, engine) => {
  test('every type of column is described as that type', async () => {
    const expected = Object.entries(typesOf[name] ?? {});
    const fresh = await freshDatabase(engine);
    try {
      if (engine.client !== 'mysql') await fresh.exec(postgresTypes);
      await fresh.exec(`CREATE TABLE t (${expected.map(([type], nth) => `c${nth} ${type}`).join(', ')})`);
      const opened = await open(fresh);
      try {
        const [table] = (await opened.catalog({ schema: engine.client === 'mysql' ? null : 'public', name: 't' }))
          .tables;
        expect(table?.columns.map((column, nth) => [expected[nth]?.[0], column.type])).toMatchObject(expected);
      } finally {
        await opened.close();
      }
    } finally {
      await fresh.drop();
    }
  });
});
