/** Twelve records, and which of them each `q` must find. */

interface Paper {
  readonly title: string | null;
  readonly body: string;
  readonly price: string | null;
  readonly seen: string | null;
  /** A hidden column. */
  readonly secret: string;
}

const paper = (title: string | null, body: string, price: string | null, seen: string | null, secret = ''): Paper => ({
  title,
  body,
  price,
  seen,
  secret,
});

/** Ids start at 1. */
const papers: readonly Paper[] = [
  paper('Red fox', 'The quick red fox jumps over it', '12.50', '2024-02-29 12:30:00', 'whisper'),
  paper('Foxes and hounds', 'Several foxes were running', '100.00', '1999-12-31 00:00:00', 'whisper hydrogen'),
  paper('C++ primer', 'A book about C++ and C', '53.56', null),
  paper('100% wool', 'a_b under%score back\\slash | pipe', '5.00', null),
  paper('Straße nach Köln', 'Eine große Straße', '24.00', null),
  paper('Київ', 'Бібліотека і ґанок', null, null),
  paper('数据库', '支持中文吗？全文搜索', null, null),
  paper('Crème brûlée', 'dessert à la crème', null, null),
  paper("O'Brien", 'said "red fox" and \'left\'', null, null),
  paper('IT', 'AI 5g to be or not', null, null),
  paper(null, 'hydrogen report 2024, 42 pages', '42.00', '2011-04-04 00:00:00'),
  paper('creme fraiche', 'plain creme, strasse, fox, red', null, '2024-03-01 23:59:59'),
];

const columns = (text: string, timestamp: string) =>
  `(id int PRIMARY KEY, title ${text}, body ${text}, price decimal(10,2), seen ${timestamp}, secret ${text})`;
const quoted = (value: string | null, backslash: string) =>
  value === null ? 'NULL' : `'${value.replaceAll("'", "''").replaceAll('\\', backslash)}'`;

/** Ids made of the digits 6 to 9, which no search contains. */
const fillerId = (at: number) => `9${at.toString(4).replace(/\d/g, (digit) => String(Number(digit) + 6))}`;

function inserts(table: string, backslash: string): string {
  const rows = papers.map(
    ({ title, body, price, seen, secret }, at) =>
      `(${at + 1}, ${[title, body, price, seen, secret].map((value) => quoted(value, backslash)).join(', ')})`,
  );
  // Filler rows, so that the query planner prefers an index.
  const more = Array.from(
    { length: 4000 },
    (_, at) => `(${fillerId(at)}, 'zzz', 'zzz ${'z'.repeat((at % 9) + 1)}', NULL, NULL, '')`,
  );
  return `INSERT INTO ${table} VALUES ${[...rows, ...more].join(', ')};`;
}

const postgresTable = (name: string, index: string) =>
  `CREATE TABLE ${name} ${columns('text', 'timestamp(3)')}; ${index} ${inserts(name, '\\')} ANALYZE ${name};`;
const words = (...names: readonly string[]) =>
  `to_tsvector('english', ${names.map((name) => `coalesce(${name}, '')`).join(" || ' ' || ")})`;
const mysqlTable = (name: string, index: string) =>
  `CREATE TABLE ${name} ${columns('varchar(100)', 'datetime(3)')} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci; ${index} ${inserts(name, '\\\\')}`;

/** The same table without an index, with one over title and body, with one that also covers the hidden column, and others. */
export const schema = {
  postgres: [
    postgresTable('bare', ''),
    postgresTable('indexed', `CREATE INDEX indexed_words ON indexed USING gin (${words('title', 'body')});`),
    postgresTable('leaky', `CREATE INDEX leaky_words ON leaky USING gin (${words('title', 'body', 'secret')});`),
    // NULL title: the concatenation is NULL, so this index has no words for that record.
    postgresTable(
      'lossy',
      `CREATE INDEX lossy_words ON lossy USING gin (to_tsvector('english', title || ' ' || body));`,
    ),
    postgresTable(
      'stored',
      `ALTER TABLE stored ADD COLUMN words tsvector GENERATED ALWAYS AS (setweight(${words('title')}, 'A') || ${words('body')}) STORED;
       CREATE INDEX stored_words ON stored USING gin (words) WITH (fastupdate = off);`,
    ),
    postgresTable(
      'kept',
      `ALTER TABLE kept ADD COLUMN words tsvector; CREATE INDEX kept_words ON kept USING gin (words) WITH (fastupdate = off);
       CREATE TRIGGER words BEFORE INSERT OR UPDATE ON kept FOR EACH ROW
         EXECUTE FUNCTION tsvector_update_trigger(words, 'pg_catalog.english', title, body);`,
    ),
    // The most common index. It has no entry for a record without a title.
    postgresTable('single', `CREATE INDEX single_words ON single USING gin (to_tsvector('english', title));`),
  ].join('\n'),
  mysql: [
    'SET NAMES utf8mb4;',
    mysqlTable('bare', ''),
    mysqlTable('indexed', 'CREATE FULLTEXT INDEX indexed_words ON indexed (title, body);'),
    mysqlTable('leaky', 'CREATE FULLTEXT INDEX leaky_words ON leaky (title, body, secret);'),
  ].join('\n'),
} as const;

type Ids = readonly number[];
export interface Question {
  readonly q: string;
  readonly fear: string;
  /** Found in mode `like` over all visible columns; the same on every engine. */
  readonly like: Ids;
  /** Found with LIKE over title and body, the fallback of `auto`, if that is less. */
  readonly text?: Ids;
  /** Found in mode `native` over title and body; engines differ in their full text. */
  readonly native: { readonly postgres: Ids; readonly mysql: Ids };
  /** The engines where `auto` uses the index; the others use LIKE. */
  readonly indexed: readonly ('postgres' | 'mysql')[];
}

const both = ['postgres', 'mysql'] as const;
const same = (ids: Ids) => ({ postgres: ids, mysql: ids });

/** PostgreSQL stems English words. MySQL indexes words from three letters on, and its collation ignores accents. */
export const questions: readonly Question[] = [
  {
    q: 'fox',
    fear: 'a word',
    like: [1, 2, 9, 12],
    native: { postgres: [1, 2, 9, 12], mysql: [1, 9, 12] },
    indexed: both,
  },
  { q: 'FOXES', fear: 'case', like: [2], native: { postgres: [1, 2, 9, 12], mysql: [2] }, indexed: both },
  { q: 'ox', fear: 'part of a word', like: [1, 2, 9, 12], native: same([]), indexed: ['postgres'] },
  { q: 'red fox', fear: 'one of two words is enough', like: [1, 9, 12], native: same([1, 9, 12]), indexed: both },
  { q: '"red fox"', fear: 'a phrase is taken for words', like: [1, 9], native: same([1, 9]), indexed: [] },
  { q: '"red', fear: 'a quotation mark that is never closed', like: [9], native: same([1, 9, 12]), indexed: [] },
  { q: 'plain nosuchword', fear: 'a missing word is forgiven', like: [], native: same([]), indexed: both },
  { q: '2024', fear: 'a year is a number', like: [1, 11, 12], text: [11], native: same([11]), indexed: both },
  { q: '2.50', fear: 'digits of a number', like: [1], text: [], native: same([]), indexed: [] },
  { q: '42', fear: 'a short number', like: [11], native: { postgres: [11], mysql: [] }, indexed: ['postgres'] },
  { q: '02-29T12:30', fear: 'a date as it is shown', like: [1], text: [], native: same([]), indexed: [] },
  { q: '100%', fear: '% is any text', like: [4], native: same([4]), indexed: [] },
  { q: '%', fear: '% is any text', like: [4], native: same([]), indexed: [] },
  { q: 'a_b', fear: '_ is any character', like: [4], native: same([4]), indexed: [] },
  { q: 'k\\s', fear: 'a backslash escapes', like: [4], native: same([]), indexed: [] },
  { q: '|', fear: 'our own escape', like: [4], native: same([]), indexed: [] },
  { q: 'C++', fear: 'an operator in the word', like: [3], native: { postgres: [3], mysql: [] }, indexed: [] },
  { q: '数据', fear: 'a script without blanks', like: [7], native: same([]), indexed: [] },
  { q: 'the', fear: 'a stop word finds nothing', like: [1], native: same([]), indexed: [] },
  {
    q: 'it fox',
    fear: 'a stop word spoils the others',
    like: [1],
    native: { postgres: [1, 2, 9, 12], mysql: [1, 9, 12] },
    indexed: [],
  },
  { q: 'київ', fear: 'case outside ASCII', like: [6], native: same([6]), indexed: both },
  { q: 'ҐАНОК БІБЛІО', fear: 'case outside ASCII', like: [6], native: same([]), indexed: both },
  { q: 'ганок', fear: 'another letter', like: [], native: { postgres: [], mysql: [6] }, indexed: both },
  { q: 'GROSSE', fear: 'ß is not ss', like: [], native: { postgres: [], mysql: [5] }, indexed: both },
  { q: 'STRAßE', fear: 'ß has a case', like: [5], native: { postgres: [5], mysql: [5, 12] }, indexed: both },
  { q: 'creme', fear: 'accents are lost', like: [12], native: { postgres: [12], mysql: [8, 12] }, indexed: both },
  { q: 'CRÈME', fear: 'accents are lost', like: [8], native: { postgres: [8], mysql: [8, 12] }, indexed: both },
  { q: "O'Brien", fear: 'a quote ends the text', like: [9], native: same([9]), indexed: [] },
  { q: "'left'", fear: 'a quote ends the text', like: [9], native: same([9]), indexed: [] },
  { q: 'whisper', fear: 'a hidden column is searched', like: [], native: same([]), indexed: both },
  { q: 'hydrogen', fear: 'a hidden column is searched', like: [11], native: same([11]), indexed: both },
];
