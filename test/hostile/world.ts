import { createHash } from 'node:crypto';
import { entry, token } from '../support/gateway.ts';
import { type Engine, engines, type FreshDatabase } from '../support/servers/engines.ts';

/** The prefix of every name that only the database knows. No payload contains it, so an answer that does has leaked one. */
export const secret = 'zq_';
/** A text that no caller may read. */
export const canary = 'CANARY';

const shared = `
  CREATE TABLE zq_canary (id int PRIMARY KEY, t varchar(60) NOT NULL);
  INSERT INTO zq_canary VALUES (1, '${canary} one'), (2, '${canary} two');
  CREATE TABLE zq_sink (id int PRIMARY KEY, zq_hidden varchar(60), t text, v varchar(400), UNIQUE (v));`;

const own = {
  postgres: `
    CREATE TYPE zq_mood AS ENUM ('calm', 'cross');
    CREATE TABLE zq_film (id int PRIMARY KEY, zq_hidden varchar(60), t text, c char(10), n int, big bigint, d numeric(10,2), f float8, b bool,
      day date, clock time, at timestamp, zoned timestamptz, doc jsonb, bin bytea, bits bit(8), mood zq_mood, u uuid, tags text[], nums int[],
      span interval, net inet, price money);
    INSERT INTO zq_film SELECT i, '${canary} film', 'film' || i, 'chars' || i, i, i, i + 0.5, i + 0.25, NULL, '2024-02-29', '20:30:40',
      '2024-02-29 20:30:40', '2024-02-29 20:30:40Z', NULL, '\\x6162', B'01010101', 'calm', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', NULL, NULL,
      '33 days', '10.33.34.35', 77 FROM generate_series(4711, 4713) i;`,
  mysql: `
    CREATE TABLE zq_film (id int PRIMARY KEY, zq_hidden varchar(60), t text, c char(10), n int, big bigint, d decimal(10,2), f double, b tinyint(1),
      day date, clock time, at datetime, latin varchar(40) CHARACTER SET latin1, DOC, bin varbinary(40), bits bit(8), mood enum('calm','cross'),
      flags set('x1','x2'), y year) CHARACTER SET utf8mb4;
    INSERT INTO zq_film SELECT i, '${canary} film', CONCAT('film', i), CONCAT('chars', i), i, i, i + 0.5, i + 0.25, NULL, '2024-02-29', '20:30:40',
      '2024-02-29 20:30:40', 'latin', NULL, 'ab', b'01010101', 'calm', 'x1,x2', 2033 FROM (SELECT 4711 i UNION SELECT 4712 UNION SELECT 4713) s;`,
};

/** The visible columns of the film table. */
export const columns: Readonly<Record<'postgres' | 'mysql', readonly string[]>> = {
  postgres: [
    ...['id', 't', 'c', 'n', 'big', 'd', 'f', 'b', 'day', 'clock', 'at', 'zoned', 'doc', 'bin', 'bits', 'mood', 'u'],
    ...['tags', 'nums', 'span', 'net', 'price'],
  ],
  mysql: [
    ...['id', 't', 'c', 'n', 'big', 'd', 'f', 'b', 'day', 'clock', 'at', 'latin', 'doc', 'bin', 'bits', 'mood'],
    ...['flags', 'y'],
  ],
};

export function kin(engine: Engine): 'postgres' | 'mysql' {
  return engine.client === 'mysql' ? 'mysql' : 'postgres';
}

/** Engines of the same kind get the same SQL, so the items are shared out among them. `npm run fuzz` gives all to each. */
export function shareOf<T>(engine: Engine, all: readonly T[], among = engines()): readonly T[] {
  if (process.env.FUZZ_CASES !== undefined) return all;
  const alike = among.filter((other) => kin(other) === kin(engine));
  return all.filter((_, nth) => alike[nth % alike.length] === engine);
}

/** Whether this engine represents its kind in tests of code that runs before the first statement. */
export function standsForItsKind(engine: Engine): boolean {
  const last = engines().findLast((other) => kin(other) === kin(engine));
  return last === engine || process.env.FUZZ_CASES !== undefined;
}

/** Creates a table with three films, a table to write to, and one that no caller may see. */
export async function furnish(database: FreshDatabase, engine: Engine): Promise<void> {
  const doc = engine.name === 'mysql56' ? 'doc text' : 'doc json';
  const tables = shared.replace(/t text/, engine.client === 'mysql' ? 't text CHARACTER SET utf8mb4' : 't text');
  const sink =
    engine.client === 'mysql' ? tables.replace('v varchar(400)', 'v varchar(180) CHARACTER SET utf8mb4') : tables;
  await database.exec(sink + own[kin(engine)].replace('DOC', doc));
}

/** The configuration for these tables. The token can read and write `films` and `sink`, but not `canary`. */
export function configuration(database: FreshDatabase, engine: Engine, more: Record<string, unknown> = {}) {
  const hidden = { zq_hidden: { hidden: true } };
  const access = { read: 'token', write: 'token' };
  const sha256 = createHash('sha256').update(token).digest('hex');
  return {
    tokens: [{ name: 'tester', sha256, read: ['films', 'sink'], write: ['films', 'sink'] }],
    databases: { db: { ...entry(database), ...more } },
    resources: {
      films: {
        ...{ database: 'db', table: 'zq_film', aliases: ['movies'] },
        access: engine.name === 'pglite' ? access : { ...access, sql: true },
        columns: engine.client === 'mysql' ? { ...hidden, b: { boolean: true } } : hidden,
      },
      sink: { database: 'db', table: 'zq_sink', columns: hidden, access },
      canary: { database: 'db', table: 'zq_canary', access },
    },
  };
}

/** All rows of these tables as text, in a fixed order. */
export async function snapshot(
  database: FreshDatabase,
  tables: readonly string[] = ['zq_film', 'zq_canary', 'zq_sink'],
): Promise<string> {
  const rows: string[] = [];
  for (const table of tables) rows.push(JSON.stringify(await database.query(`SELECT * FROM ${table} ORDER BY id`)));
  return rows.join('\n');
}
