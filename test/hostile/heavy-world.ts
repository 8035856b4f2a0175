/** Tables that are large in every dimension, and a gateway for them in a separate process, with the probe. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entry } from '../support/gateway.ts';
import { openProgram, type Probed } from '../support/program.ts';
import { type Engine, type FreshDatabase, freshDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { configuration, furnish, kin } from './world.ts';

/** Who sends a request. A stranger has no token, a reader has one without the right to write. */
export type Sender = 'stranger' | 'reader' | 'writer';

export const headersOf: Readonly<Record<Sender, Readonly<Record<string, string>>>> = {
  stranger: {},
  reader: { Authorization: 'reads' },
  writer: { Authorization: 'writes' },
};
const token = (name: string, rights: object) => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  read: ['*'],
  ...rights,
});

/** The columns of table `wide` besides `id`: nearly as many as a table can have. */
export function wideColumns(engine: Engine): readonly string[] {
  return Array.from({ length: kin(engine) === 'mysql' ? 1000 : 1599 }, (_, nth) => `column number ${nth}`);
}
/** The columns of table `broad` besides `id`: as many as a large legacy table has. */
export const broadColumns: readonly string[] = Array.from({ length: 150 }, (_, nth) => `column number ${nth}`);

/** The number of records in table `big`: as many as one search can return. Answers come close to the size limit. */
export const bigRecords = 32_000;

const quote = { postgres: '"', mysql: '`' };
const numbers = {
  postgres: (count: number) => `generate_series(0, ${count - 1}) s(i)`,
  mysql: (count: number) => {
    const digit =
      '(SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)';
    const all = `SELECT a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d i FROM ${digit} a, ${digit} b, ${digit} c, ${digit} d, ${digit} e`;
    return `(${all}) s WHERE i < ${count}`;
  },
};
const types = {
  postgres: {
    text: 'text',
    number: 'numeric',
    at: 'timestamp',
    more: ', ns numeric[], ts text[], doc jsonb',
    date: "timestamp '2020-01-01' + i * interval '1 minute'",
  },
  mysql: {
    text: 'longtext',
    number: 'decimal(65,20)',
    at: 'datetime',
    more: '',
    date: "'2020-01-01' + INTERVAL i MINUTE",
  },
};

/** Creates these tables in addition to those of `world.ts`. */
export async function furnishHeavy(database: FreshDatabase, engine: Engine): Promise<void> {
  const family = kin(engine);
  const { text, number, at, more, date } = types[family];
  const ints = (columns: readonly string[]) =>
    columns.map((name) => `${quote[family]}${name}${quote[family]} int`).join(', ');
  await furnish(database, engine);
  await database.exec(`
    CREATE TABLE t (id int PRIMARY KEY, a ${text}, n ${number}, d date${more});
    INSERT INTO t (id, a, n) VALUES (1, 'one', 1.5);
    CREATE TABLE wide (id int PRIMARY KEY, ${ints(wideColumns(engine))});
    INSERT INTO wide (id) SELECT i FROM ${numbers[family](1000)};
    CREATE TABLE broad (id int PRIMARY KEY, ${ints(broadColumns)});
    CREATE TABLE many (id int PRIMARY KEY, a varchar(60));
    CREATE TABLE giant (id int PRIMARY KEY, a ${text});
    CREATE TABLE big (id int PRIMARY KEY, a text, b varchar(60), n decimal(10,2), d ${at});
    INSERT INTO big SELECT i, REPEAT('text "', 134), 'some other, shorter text', i * 1.25, ${date} FROM ${numbers[family](bigRecords)};`);
}

/** The lengths of the cells in table `giant`, by id. They are shorter if the server limits the size of packets. */
export const giants: readonly number[] = [30_000_000, 60_000_000];

/** Fills table `giant`: the first cell with characters that each format escapes differently, the second with plain ones. */
export async function furnishGiants(database: FreshDatabase): Promise<void> {
  const [[packet] = []] = database.client === 'mysql' ? await database.query('SELECT @@max_allowed_packet') : [];
  const maxCellBytes = Number(packet ?? 1e9) - 1_000_000;
  for (const [id, size] of giants.entries()) {
    const unit = id === 0 ? 'te"x<&>,\t é' : 'plain text';
    const count = Math.floor(Math.min(size, maxCellBytes) / Buffer.byteLength(unit));
    await database.exec(`INSERT INTO giant VALUES (${id}, REPEAT('${unit}', ${count}))`);
  }
}

/** The configuration for these tables: public read access, and a token that may write. */
export function heavyConfiguration(database: FreshDatabase, engine: Engine, more: object = {}): object {
  const { resources } = configuration(database, engine);
  const access = { read: 'public', write: 'token' };
  const own = ['t', 'wide', 'broad', 'big', 'many', 'giant'].map((table) => [table, { database: 'db', table, access }]);
  return {
    server: { port: 0 },
    tokens: [token('reads', {}), token('writes', { write: ['*'] })],
    databases: { db: { ...entry(database), statementTimeout: '60s' } },
    resources: { films: { ...resources.films, access }, ...Object.fromEntries(own) },
    ...more,
  };
}

/** A gateway that is restarted after it has exited, so that every case starts with a running one. */
export interface Target {
  readonly database: FreshDatabase;
  gateway(): Promise<Started>;
  close(): Promise<void>;
}
export interface Started extends Probed {
  /** Memory of the idle process in bytes. */
  readonly idle: number;
}

/** Creates the tables in a new database. The gateway starts when it is first needed. */
export async function openTarget(engine: ServerEngine, more: object = {}): Promise<Target> {
  const database = await freshDatabase(engine);
  const program = openProgram();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-heavy-'));
  const file = join(folder, 'gateway.yaml');
  let running: Started | null = null;
  try {
    await furnishHeavy(database, engine);
  } catch (error) {
    await database.drop();
    throw error;
  }
  writeFileSync(file, JSON.stringify(heavyConfiguration(database, engine, more)));
  return {
    database,
    async gateway() {
      if (running?.lives()) return running;
      const probed = await program.probe(['serve', file]);
      await fetch(`${probed.url}/api/3/action/datastore_search?resource_id=big&limit=1000`).then((answer) =>
        answer.text(),
      );
      running = { ...probed, idle: (await probed.held()).rss };
      return running;
    },
    async close() {
      program.remove();
      rmSync(folder, { recursive: true, force: true });
      await database.drop();
    },
  };
}
