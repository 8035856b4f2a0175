/** The tables of `bench works` and `peers`: `films`, a typical legacy table, and `big` with a million records. */
import type { ServerDatabase } from '../../support/servers/engines.ts';

/** Every second record of `big` contains the frequent word, and twenty records the rare one. */
export const words = { frequent: 'harbour', other: 'meadow', rare: 'quagmire', inFilms: 'number 77' };

/** The columns of `films` besides its key, with their PostgreSQL types. */
export const filmColumns = {
  title: 'varchar(255)',
  description: 'text',
  release_year: 'int',
  language_id: 'smallint',
  rental_rate: 'numeric(4,2)',
  length: 'smallint',
  rating: 'varchar(10)',
  replacement_cost: 'numeric(5,2)',
  released: 'date',
  last_update: 'timestamp',
  in_stock: 'boolean',
};

export const film = (n: number): Readonly<Record<keyof typeof filmColumns, string | number | boolean>> => ({
  title: `Film number ${n}`,
  description: `A thoughtful tale of a ${n} and a lumberjack who must meet a boat in a balloon factory`,
  release_year: 1950 + (n % 70),
  language_id: n % 6,
  rental_rate: 0.99,
  length: 60 + (n % 120),
  rating: 'PG-13',
  replacement_cost: 20.99,
  released: '2006-02-15',
  last_update: '2006-02-15 05:03:42',
  in_stock: n % 2 === 0,
});

/** SQL that differs between engines. */
interface Ways {
  readonly key: string;
  readonly type: (declared: string) => string;
  readonly concat: (...parts: readonly string[]) => string;
  /** A subquery with the numbers `n` from 1 to `most`. */
  readonly numbers: (most: number) => string;
  /** Statements to run before the tables are created. */
  readonly first: readonly string[];
  readonly wordIndex: string;
  readonly analyze: (tables: string) => string;
}

const ways: Readonly<Record<ServerDatabase['client'], Ways>> = {
  postgres: {
    key: 'serial PRIMARY KEY',
    type: (declared) => declared,
    concat: (...parts) => parts.join(' || '),
    numbers: (most) => `generate_series(1, ${most}) n`,
    first: [],
    wordIndex: "CREATE INDEX big_body ON big USING gin (to_tsvector('english', body))",
    analyze: (tables) => `ANALYZE ${tables}`,
  },
  mysql: {
    key: 'int AUTO_INCREMENT PRIMARY KEY',
    type: (declared) => ({ boolean: 'tinyint(1)', timestamp: 'datetime' })[declared] ?? declared,
    concat: (...parts) => `CONCAT(${parts.join(', ')})`,
    numbers: (most) => {
      const digits = Array.from({ length: Math.ceil(Math.log10(most)) }, (_, nth) => nth);
      const sum = digits.map((nth) => `${10 ** nth} * d${nth}.n`).join(' + ');
      const tables = digits.map((nth) => `digits d${nth}`).join(', ');
      return `(SELECT 1 + ${sum} AS n FROM ${tables}) numbers WHERE n <= ${most} ORDER BY n`;
    },
    first: [
      'CREATE TABLE digits (n int PRIMARY KEY)',
      'INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    ],
    wordIndex: 'CREATE FULLTEXT INDEX big_body ON big (body)',
    analyze: (tables) => `ANALYZE TABLE ${tables}`,
  },
};

/** Creates and fills `films`, with 14,000 records. */
export async function fillFilms(database: ServerDatabase): Promise<void> {
  const { key, type, concat, numbers, first, analyze } = ways[database.client];
  const names = Object.keys(filmColumns);
  const declared = Object.entries(filmColumns).map(([name, one]) => `${name} ${type(one)}`);
  const story = concat(
    "'A thoughtful tale of a '",
    'n',
    "' and a lumberjack who must meet a boat in a balloon factory'",
  );
  const values = [
    ...[concat("'Film number '", 'n'), story, '1950 + n % 70', 'n % 6', '0.99', '60 + n % 120', "'PG-13'", '20.99'],
    ...["DATE '2006-02-15'", "TIMESTAMP '2006-02-15 05:03:42'", 'n % 2 = 0'],
  ];
  const statements = [
    ...first,
    `CREATE TABLE films (id ${key}, ${declared.join(', ')})`,
    `INSERT INTO films (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${numbers(14_000)}`,
    analyze('films'),
  ];
  for (const sql of statements) await database.exec(sql);
}

/** Creates and fills all tables; takes up to a minute. @param huge whether to add a table of ten million records */
export async function fill(database: ServerDatabase, huge: boolean): Promise<void> {
  await fillFilms(database);
  const { concat, numbers, wordIndex, analyze } = ways[database.client];
  const usual = `CASE WHEN n % 2 = 0 THEN '${words.frequent}' ELSE '${words.other}' END`;
  const seldom = `CASE WHEN n % 50000 = 7 THEN ' ${words.rare}' ELSE '' END`;
  const body = concat("'the '", usual, seldom, "' of text '", 'n');
  const large = (name: string, records: number) => [
    `CREATE TABLE ${name} (id int PRIMARY KEY, body text, n int, amount numeric(12,2))`,
    `INSERT INTO ${name} SELECT n, ${body}, CASE WHEN n % 10 = 0 THEN NULL ELSE n * 7.0 % 1000003 END,
      n * 7.0 % 999983 / 100.0 FROM ${numbers(records)}`,
  ];
  const statements = [
    ...large('big', 1_000_000),
    wordIndex,
    'CREATE INDEX big_n ON big (n)',
    ...(huge ? large('huge', 10_000_000) : []),
    analyze(huge ? 'big, huge' : 'big'),
  ];
  for (const sql of statements) await database.exec(sql);
}
