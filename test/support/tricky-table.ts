/** A table with everything that can break SQL: names that confuse parsers, loose collations, small character sets. */
import { noMetadata } from '../../src/model/metadata.ts';
import { byLabel, type Column, noRoles, type Table, type Type } from '../../src/model/table.ts';
import { column } from './table.ts';

export const postgresDdl = `
  CREATE EXTENSION citext;
  CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  CREATE SCHEMA "Legacy ""S""";
  CREATE TABLE "Legacy ""S"""."tricky ?" (
    id serial PRIMARY KEY, "a.b" text, "x?y" integer, "say ""hi""" varchar(20), "back\`tick" char(4), "50% as $1" numeric(6,2),
    latin varchar(20), cit citext, fold text COLLATE folding, f4 float4, f8 float8, flag boolean, bit1 bit(1), bit5 bit(5), js jsonb,
    blob bytea, day date, seen timestamp(3), span time, UNIQUE ("a.b", "x?y"));
  CREATE INDEX ON "Legacy ""S"""."tricky ?" (cit); CREATE INDEX ON "Legacy ""S"""."tricky ?" (fold);`;

/** @param json the type of the JSON column; a text type on MySQL 5.6, which has no JSON */
export const mysqlDdl = (json: string): string => `
  CREATE TABLE \`tricky ?\` (
    id int NOT NULL AUTO_INCREMENT PRIMARY KEY, \`a.b\` varchar(100) COLLATE utf8mb4_unicode_ci, \`x?y\` int,
    \`say "hi"\` varchar(20) COLLATE utf8mb4_unicode_ci, \`back\`\`tick\` char(4) COLLATE utf8mb4_unicode_ci, \`50% as $1\` decimal(6,2),
    latin varchar(20) CHARACTER SET latin1, cit varchar(20) COLLATE utf8mb4_general_ci, fold varchar(20) COLLATE utf8mb4_bin,
    f4 float, f8 double, flag tinyint(1), bit1 bit(1), bit5 bit(5), js ${json}, \`blob\` varbinary(20), day date, seen datetime(3),
    span time, UNIQUE (\`a.b\`, \`x?y\`), KEY (latin), KEY (cit), KEY (fold), FULLTEXT (\`a.b\`, \`say "hi"\`)) ENGINE=InnoDB`;

const text: Type = { kind: 'text', length: 20, padded: false, nul: false };
const types: Readonly<Record<string, Type>> = {
  id: { kind: 'int', wire: 'int4', min: -(2n ** 31n), max: 2n ** 31n - 1n },
  'a.b': { kind: 'text', length: null, padded: false, nul: false },
  'x?y': { kind: 'int', wire: 'int4', min: -(2n ** 31n), max: 2n ** 31n - 1n },
  'say "hi"': text,
  'back`tick': { kind: 'text', length: 4, padded: true, nul: false },
  '50% as $1': { kind: 'decimal', precision: 6, scale: 2, nan: false },
  latin: text,
  cit: text,
  fold: text,
  f4: { kind: 'float', bits: 32, nan: false },
  f8: { kind: 'float', bits: 64, nan: false },
  flag: { kind: 'bool' },
  bit1: { kind: 'bits', length: 1, varying: false },
  bit5: { kind: 'bits', length: 5, varying: false },
  js: { kind: 'json', binary: true, finds: 'numeric' },
  blob: { kind: 'binary', length: 20 },
  day: { kind: 'date', infinite: false, zero: true },
  seen: { kind: 'timestamp', digits: 3, zoned: false, infinite: false, zero: true },
  span: { kind: 'time', digits: 0, span: false },
};

const postgresNatives: Readonly<Record<string, string>> = {
  id: 'integer',
  'a.b': 'text',
  'x?y': 'integer',
  'say "hi"': 'character varying',
  'back`tick': 'bpchar',
  '50% as $1': 'numeric',
  latin: 'character varying',
  cit: 'citext',
  fold: 'text',
  f4: 'real',
  f8: 'double precision',
  flag: 'boolean',
  bit1: 'pg_catalog."bit"',
  bit5: 'pg_catalog."bit"',
  js: 'jsonb',
  blob: 'bytea',
  day: 'date',
  seen: 'timestamp without time zone',
  span: 'time without time zone',
};
const collations: Readonly<Record<string, readonly [charset: string, collation: string]>> = {
  'a.b': ['utf8mb4', 'utf8mb4_unicode_ci'],
  'say "hi"': ['utf8mb4', 'utf8mb4_unicode_ci'],
  'back`tick': ['utf8mb4', 'utf8mb4_unicode_ci'],
  latin: ['latin1', 'latin1_swedish_ci'],
  cit: ['utf8mb4', 'utf8mb4_general_ci'],
  fold: ['utf8mb4', 'utf8mb4_bin'],
};

function table(schema: string | null, facts: (name: string, type: Type) => Partial<Column>): Table {
  const columns = Object.entries(types).map(([name, type]) =>
    column(name, type, { nullable: name !== 'id', ...facts(name, type) }),
  );
  const id = columns.filter((column) => column.name === 'id');
  return {
    resource: 'r',
    database: 'db',
    schema,
    name: 'tricky ?',
    columns,
    all: columns,
    labels: byLabel(columns),
    key: id,
    keyIs: 'proved',
    order: { by: id, isTotal: true },
    uniqueKeys: [],
    sequence: { records: 'in any order', numbered: [], required: [] },
    mayDefer: false,
    definition: null,
    foreignKeys: [],
    transactional: true,
    allowPartial: false,
    search: {
      mode: 'like',
      columns: columns.filter((column) => column.type.kind !== 'binary'),
      language: 'english',
      languages: null,
      index: null,
    },
    about: { title: '', description: '', aliases: [], indexes: [], hides: false, metadata: noMetadata, roles: noRoles },
  };
}

export const postgresTable = table('Legacy "S"', (name) => ({
  native: postgresNatives[name] ?? '',
  equality: name === 'cit' || name === 'fold' ? 'folds' : 'exact',
}));

export const mysqlTable = table(null, (name) => {
  const [charset, collation] = collations[name] ?? [];
  return charset === undefined || collation === undefined ? {} : { charset, collation, equality: 'folds' };
});

const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `SELECT ${digit} n`).join(' UNION ALL ');

/** A thousand different rows, and updated statistics for the query planner. */
export const postgresRows = `
  INSERT INTO "Legacy ""S"""."tricky ?" ("a.b", "x?y", cit, fold) SELECT 'a' || g, g, 'c' || g, 'f' || g FROM generate_series(1, 1000) g;
  ANALYZE "Legacy ""S"""."tricky ?";`;
export const mysqlRows = `
  INSERT INTO \`tricky ?\` (\`a.b\`, \`x?y\`, latin, cit, fold)
    SELECT CONCAT('a', g), g, CONCAT('l', g), CONCAT('c', g), CONCAT('f', g)
    FROM (SELECT a.n + 10 * b.n + 100 * c.n g FROM (${digits}) a, (${digits}) b, (${digits}) c) numbers;
  ANALYZE TABLE \`tricky ?\`;`;
