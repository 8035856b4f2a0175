/** A table with a sortable column of every kind of type. Values are adjacent, equal, or NULL. */
import type { Engine } from '../../support/servers/engines.ts';

/** Column → its type and values as SQL literals. Each value is used several times. */
type Columns = Readonly<Record<string, readonly [type: string, ...values: string[]]>>;

const long = 'x'.repeat(300);
const common: Columns = {
  whole: ['int', '-2147483648', '0', '5', '2147483647'],
  big: ['bigint', '-9223372036854775808', '9007199254740993', '9007199254740992', '9223372036854775807'],
  exact: ['decimal(20,6)', '-0.000001', '0', '99999999999999.999999', '99999999999999.999998'],
  day: ['date', "'2024-02-29'", "'1000-01-01'", "'9999-12-31'"],
};

const mysql: Columns = {
  ...common,
  f4: ['float', '0.1', '-0e0', '0', '1.17549e-38', '16777216', '0.1000001', '3.40282e38'],
  f7: ['float(7,2)', '1.1', '1.2', '99999.99', '-0.01'],
  f8: ['double', '0.1', '-0e0', '0', '0.30000000000000004', '0.3', '1.7976931348623157e308', '2.2250738585072014e-308'],
  flag: ['tinyint(1)', '0', '1', '2', '-1'],
  bits: ['bit(12)', "b'0'", "b'101010101010'", "b'111'"],
  enumerated: ["enum('z','a','B','b2')", "'z'", "'a'", "'B'", "'b2'"],
  many: ["set('z','a','b')", "'z'", "'a'", "'z,a'", "''", "'b'"],
  born: ['year', '1901', '2155', '2000', "'0000'"],
  padded: ['int(6) zerofill', '5', '123456', '0'],
  span: ['time(6)', "'-838:59:59'", "'00:00:00.000001'", "'838:59:59'", "'23:59:59.999999'"],
  seen: ['datetime(6)', "'2024-02-29 12:00:00.000001'", "'2024-02-29 12:00:00.000002'", "'9999-12-31 23:59:59.999999'"],
  zero: ['datetime', "'0000-00-00 00:00:00'", "'2024-02-29 12:00:00'", "'2023-00-00 00:00:00'"],
  // In this column the server turns NULL into a zero date.
  zeroday: ['date NOT NULL', "'0000-00-00'", "'2024-02-29'", "'2023-05-00'"],
  zerotime: ['timestamp(3) NULL', "'0000-00-00 00:00:00'", "'2024-02-29 12:00:00.125'"],
  ci: ['varchar(40) COLLATE utf8mb4_unicode_ci', "'a'", "'A'", "'á'", "'a '", "'ß'", "'ss'", "''", "'b'", "'漢字😀'"],
  latin: ['varchar(40) CHARACTER SET latin1', "'a'", "'Ä'", "'ä'", "'z'"],
  exactly: ['varchar(40) COLLATE utf8mb4_bin', "'a'", "'A'", "'a '", "'o''\\\\'"],
  chars: ['char(5) COLLATE utf8mb4_general_ci', "'a'", "'A'", "'b'", "'a b'"],
  story: ['text COLLATE utf8mb4_unicode_ci', `'${long}a'`, `'${long}b'`, `'${long.toUpperCase()}'`, "'x'", "'Y'"],
  blob: ['blob', "x''", "x'00'", "x'ff00'", `x'${'00'.repeat(300)}01'`, `x'${'00'.repeat(300)}02'`],
  bytes: ['varbinary(20)', "x''", "x'00'", "x'61'", "x'6120'"],
};
const mariadb: Columns = {
  ...mysql,
  ident: [
    'uuid',
    "'00000000-0000-0000-0000-000000000001'",
    "'ffffffff-0000-1000-8000-000000000000'",
    "'01000000-0000-7000-8000-000000000000'",
  ],
  address: ['inet6', "'::1'", "'ff00::1'", "'::ffff:10.0.0.1'"],
};

const postgres: Columns = {
  ...common,
  number: ['numeric', "'NaN'", '2.5', '2.50', '-1e-30', '12345678901234567890.123456789'],
  f4: ['real', '0.1', "'-0'", '0', "'1e-45'", "'NaN'", "'Infinity'", "'-Infinity'", '0.1000001'],
  f8: ['double precision', '0.1', "'-0'", '0.30000000000000004', '0.3', "'5e-324'", "'NaN'", "'Infinity'"],
  flag: ['boolean', 'true', 'false'],
  sign: ['integer', '0', '1', '2', '-1'],
  bits: ['bit(5)', "b'00000'", "b'10101'"],
  varied: ['varbit', "b''", "b'1'", "b'10'"],
  enumerated: ['mood', "'z'", "'a'", "'B'"],
  span: ['time', "'00:00:00.000001'", "'23:59:59.999999'"],
  zoned: ['timetz', "'00:00+00'", "'01:00+01'"],
  seen: ['timestamp', "'2024-02-29 12:00:00.000001'", "'2024-02-29 12:00:00.000002'", "'infinity'", "'0044-03-15 BC'"],
  when: ['timestamptz', "'2024-02-29 12:00:00.000001+02'", "'-infinity'", "'2024-02-29 10:00:00.000001+00'"],
  words: ['text', "'a'", "'A'", "'á'", "'a '", "''", "'b'", "'漢字😀'", "E'o''\\\\'"],
  c: ['text COLLATE "C"', "'a'", "'A'", "'a '"],
  padded: ['char(5)', "'a'", "'A'", "'a b'"],
  named: ['name', "'a'", "'A'"],
  ident: ['uuid', "'00000000-0000-0000-0000-000000000001'", "'ffffffff-0000-1000-8000-000000000000'"],
  address: ['inet', "'10.0.0.1'", "'10.0.0.0/8'", "'::1'"],
  amount: ['money', "'1.50'", "'-2'"],
  pause: ['interval', "'1 month'", "'30 days'", "'-00:00:00.000001'", "'1 year 2 days'"],
  bytes: ['bytea', "'\\x'", "'\\x00'", "'\\x6120'"],
  list: ['int[]', "'{}'", "'{1,NULL}'", "'{1,2}'", "'{{1},{2}}'"],
  texts: ['text[]', `'{"a b",NULL}'`, `'{"a,\\"b"}'`, "'{a}'"],
  range: ['int4range', "'[1,5)'", "'empty'", "'(,3)'"],
};
const server: Columns = {
  ...postgres,
  ci: ['citext', "'a'", "'A'", "'á'", "'a '", "'b'"],
  folding: ['text COLLATE folding', "'a'", "'A'", "'á'", "'ß'", "'ss'", "'b'"],
};

/** Types that cannot be sorted. */
export function unsortable({ name, client }: Engine): Columns {
  if (name === 'mysql56') return { shape: ['point', "ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(2 1)')"] };
  const json = ['\'{"a": 1}\'', '\'{"a": 1.0}\'', "'[]'", "'null'", `'"${long}a"'`, `'"${long}b"'`];
  if (client === 'mysql') return { doc: ['json', ...json], shape: ['point', 'POINT(1, 2)', 'POINT(2, 1)'] };
  return { doc: ['jsonb', ...json], raw: ['json', ...json, '\'{"a":1}\''], shape: ['point', "'(1,2)'", "'(2,1)'"] };
}

export function everything(engine: Engine): Columns {
  if (engine.client === 'mysql') return engine.name === 'mariadb' ? mariadb : mysql;
  return engine.client === 'pglite' ? postgres : server;
}

/** SQL that creates the table with its records: every value occurs at least twice, some are NULL, and no two columns are correlated. */
export function script(engine: Engine, random: () => number): string {
  const columns = { ...everything(engine), ...unsortable(engine) };
  const names = Object.keys(columns);
  const isMysql = engine.client === 'mysql';
  const quoted = (name: string) => (isMysql ? `\`${name}\`` : `"${name}"`);
  const types =
    engine.client === 'postgres'
      ? `CREATE EXTENSION citext; CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);`
      : '';
  const before = isMysql ? "SET NAMES utf8mb4, sql_mode = '';" : `${types} CREATE TYPE mood AS ENUM ('z', 'a', 'B');`;
  const records = Array.from({ length: 24 }, (_, at) => {
    const values = names.map((name) => {
      const [, ...values] = columns[name] ?? [''];
      return random() < 0.2 ? 'NULL' : values[Math.floor(random() * values.length)];
    });
    return `(${at + 1}, ${values.join(', ')})`;
  });
  return `${before}
    CREATE TABLE everything (id int PRIMARY KEY, ${names.map((name) => `${quoted(name)} ${columns[name]?.[0]}`).join(', ')})${isMysql ? ' CHARACTER SET utf8mb4' : ''};
    INSERT INTO everything VALUES ${records.join(', ')};`;
}
