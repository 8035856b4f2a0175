/** Commits that are in the server's log long before other sessions can see them: being logged must not be taken for being visible. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerEngine } from '../../support/servers/engines.ts';
import { untilLogIsRead } from './check.ts';
import type { Variant } from './variants.ts';

/** A way to hold up a commit and to release it from another session. */
interface Hold {
  readonly name: string;
  /** A query that finds a row if the server supports this; null if all servers do. */
  readonly needs: string | null;
  /** Statements to run first, in the session whose commit is then held up. */
  readonly before: readonly string[];
  readonly held: string;
  readonly hold: readonly string[];
  readonly release: readonly string[];
  /**
   * `until released`: the statement waits. `for a while`: it waits for a second at most. `not sent`: it is sent together with the release, because
   * the transaction stays prepared until then.
   */
  readonly waits: 'until released' | 'for a while' | 'not sent';
  /** Statements to run immediately afterwards. */
  readonly next?: readonly string[];
  /** A statement for the end of the test. */
  readonly last?: string;
  /** Whether other sessions can still write while the commit is held up. */
  readonly isAlone: boolean;
}

const write = 'UPDATE r SET n = n + 1 WHERE id = 1';
const always = { needs: null, waits: 'until released' } as const;
/** A standby that does not exist. Cancelling the session that waits for it releases the commit, which stays valid. */
const standby = {
  ...always,
  hold: [],
  release: [`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`],
  isAlone: true,
};
const [free, waits] = ['SET synchronous_commit = local', 'SET synchronous_commit = on'];
const logged = 'SELECT 1 FROM DUAL WHERE @@global.log_bin = 1';
/** For MariaDB and MySQL: the commit is in the binary log and waits for a replica. */
const replica = (of: 'master' | 'source', needs: string): Omit<Hold, 'name' | 'before' | 'held'> => ({
  ...{ needs, waits: 'until released', isAlone: false },
  hold: [
    `SET GLOBAL rpl_semi_sync_${of}_timeout = 60000, rpl_semi_sync_${of}_wait_point = AFTER_SYNC, rpl_semi_sync_${of}_enabled = ON`,
  ],
  release: [`SET GLOBAL rpl_semi_sync_${of}_enabled = OFF`],
});
const readLock = {
  ...{ ...always, isAlone: false },
  hold: ['FLUSH TABLES WITH READ LOCK'],
  release: ['UNLOCK TABLES'],
};
const backup = {
  ...{ ...always, isAlone: false },
  hold: ['START', 'FLUSH', 'BLOCK_DDL', 'BLOCK_COMMIT'].map((stage) => `BACKUP STAGE ${stage}`),
  release: ['BACKUP STAGE END'],
};
const xa = [`XA START 'x'`, write, `XA END 'x'`, `XA PREPARE 'x'`];
const prepared = { before: xa, held: `XA COMMIT 'x'` };
/** Replaces the table by another one with the next value. */
const another = [
  'DROP TABLE IF EXISTS old, next',
  'CREATE TABLE next LIKE r',
  'INSERT INTO next SELECT id, n + 1 FROM r',
];

const postgres: readonly Hold[] = [
  { name: 'a commit waits for a standby', before: [waits, 'BEGIN', write], held: 'COMMIT', ...standby },
  {
    name: 'a prepared transaction waits for a standby',
    before: [free, 'BEGIN', write, `PREPARE TRANSACTION 'p'`, waits],
    held: `COMMIT PREPARED 'p'`,
    ...standby,
  },
];
/** For MariaDB and all versions of MySQL. */
const both: readonly Hold[] = [
  {
    name: 'an XA transaction is prepared',
    ...prepared,
    ...always,
    hold: [],
    release: [],
    waits: 'not sent',
    isAlone: true,
  },
  { name: 'a commit waits for a lock of all tables', before: ['BEGIN', write], held: 'COMMIT', ...readLock },
];
/** The words of a FULLTEXT index become visible some tenths of a second before all of the rows. */
const words: Omit<Hold, 'name' | 'isAlone'> = {
  ...{ needs: logged, held: `XA COMMIT 'x'`, hold: [], release: [], waits: 'for a while' },
  before: [
    ...[`XA START 'x'`, write, 'DELETE FROM words'],
    `INSERT INTO words (t) SELECT CONCAT('a', seq, ' b', 7 * seq, ' c', 13 * seq) FROM seq_1_to_20000`,
    ...[`XA END 'x'`, `XA PREPARE 'x'`],
  ],
};
const mariadb: readonly Hold[] = [
  ...both,
  { name: 'an XA transaction indexes many words', ...words, isAlone: false },
  { name: 'an XA transaction indexes many words beside other writes', ...words, isAlone: true },
  {
    name: 'an XA transaction indexes many words, whose id then comes again for one that reads',
    ...{ ...words, isAlone: false },
    next: [`XA START 'x'`, 'SELECT * FROM bulk', `XA END 'x'`, `XA PREPARE 'x'`],
    last: `XA ROLLBACK 'x'`,
  },
  { name: 'a commit waits for a backup', before: ['BEGIN', write], held: 'COMMIT', ...backup },
  { name: 'a statement waits for a replica', before: [], held: write, ...replica('master', logged) },
  { name: 'an XA transaction waits for a replica', ...prepared, ...replica('master', logged) },
];
const semiSync = `SELECT 1 FROM information_schema.PLUGINS WHERE PLUGIN_NAME = 'rpl_semi_sync_source' AND PLUGIN_STATUS = 'ACTIVE' AND @@global.log_bin = 1`;
const mysql: readonly Hold[] = [
  ...both,
  { name: 'an XA transaction waits for a lock of all tables', ...prepared, ...readLock },
  {
    name: 'a definition waits for a backup',
    before: another,
    held: 'RENAME TABLE r TO old, next TO r',
    ...always,
    hold: ['LOCK INSTANCE FOR BACKUP'],
    release: ['UNLOCK INSTANCE'],
    isAlone: true,
  },
  { name: 'a statement waits for a replica', before: [], held: write, ...replica('source', semiSync) },
  { name: 'an XA transaction waits for a replica', ...prepared, ...replica('source', semiSync) },
  {
    name: 'a commit waits for others to be written with it',
    ...{ before: ['BEGIN', write], held: 'COMMIT', needs: logged, waits: 'for a while', isAlone: false },
    hold: ['SET GLOBAL binlog_group_commit_sync_delay = 1000000'],
    release: ['SET GLOBAL binlog_group_commit_sync_delay = 0'],
  },
];
const holds = { postgres, mariadb, mysql, mysql56: both };
const sessionIdQuery = { postgres: 'SELECT pg_backend_pid()', mysql: 'SELECT CONNECTION_ID()' };
/** @returns a query that finds the session with this id while its statement is held up */
const waiting = {
  postgres: (id: unknown) => `SELECT 1 FROM pg_stat_activity WHERE pid = ${id} AND wait_event = 'SyncRep'`,
  mysql: (id: unknown) =>
    `SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = ${id} AND COMMAND = 'Query'
    AND (STATE LIKE 'Waiting for%' OR STATE LIKE '%semi-sync%')`,
};

/** Milliseconds that are longer and shorter than the time by which a commit marker may be early. */
const lasts = [320, 90];

export interface Held {
  /** A sentence for each wrong answer. */
  readonly wrong: readonly string[];
  /** The ways that this server does not support. */
  readonly leftOut: readonly string[];
}

export async function checkHeld(engine: ServerEngine, variant: Variant, rounds: number): Promise<Held> {
  const database = await freshDatabase(engine);
  const [writer, holder, other] = [
    await openSession(database),
    await openSession(database),
    await openSession(database),
  ];
  const [[id] = []] = await writer.query(sessionIdQuery[engine.client]);
  const gateways: TestGateway[] = [];
  const wrong: string[] = [];
  const leftOut: string[] = [];
  const start = async (maxStaleness: string | number) => {
    const resource = (table: string) => ({ database: 'db', table, key: ['id'], access: { read: 'public' } });
    const gateway = await startGateway({
      databases: { db: { client: engine.client, connection: database.url, maxStaleness } },
      resources: { r: resource('r'), v: resource('v') },
      cache: { ttl: '1h' },
    });
    gateways.push(gateway);
    return gateway;
  };
  /** Checks the answers of gateways: each must show one of these values. */
  const look = async (of: readonly TestGateway[], expected: readonly number[], when: string) => {
    for (const table of ['r', 'v'])
      for (const { url } of of) {
        const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=${table}`);
        const { result }: { result: { records: { n: number }[] } } = JSON.parse(await response.text());
        const n = result.records[0]?.n;
        if (n === undefined || !expected.includes(n))
          wrong.push(`${when}: ${table} shows ${n}, not ${expected.join(' or ')}`);
      }
  };
  const run = async ({ name, before, held, hold, release, waits, next = [], last, isAlone }: Hold, round: number) => {
    const [[shown = ''] = []] = await database.query('SELECT n FROM r');
    const [old, now] = [[Number(shown)], [Number(shown) + 1]];
    const meanwhile = waits === 'for a while' ? [...old, ...now] : old;
    await look(gateways, old, `before ${name}`);
    for (const statement of before) await writer.exec(statement);
    for (const statement of hold) await holder.exec(statement);
    let written: Promise<void> | null = null;
    try {
      if (waits !== 'not sent') {
        written = writer.exec(held);
        written.catch(() => undefined);
      }
      const isHeld = async () => (await other.query(waiting[engine.client](id))).length;
      if (waits === 'until released') await expect.poll(isHeld, { timeout: 5000 }).toBeGreaterThan(0);
      // Another gateway starts meanwhile.
      if (round === 1) await start('50ms');
      // If statements follow immediately, there must be no other look before them.
      const looksFor = next.length > 0 ? 1 : (lasts[round % lasts.length] ?? 0);
      for (const until = performance.now() + looksFor; performance.now() < until; ) {
        await look(gateways, meanwhile, `while ${name}`);
        if (isAlone) await other.exec('UPDATE bulk SET n = n + 1');
        await sleep(10);
      }
      // By now everything committed has been proved; only the held-up commit is missing.
      if (next.length === 0) {
        await sleep(60);
        await look(gateways, meanwhile, `while ${name}`);
      }
    } finally {
      for (const statement of release) await holder.exec(statement);
      await (written ?? writer.exec(held));
    }
    for (const statement of next) await writer.exec(statement);
    await look(gateways.slice(0, 1), now, `after ${name}`);
    await sleep(60);
    // Nobody writes any more: a wrong entry would now stay in the cache for good.
    for (let time = 0; time < 3; time++) {
      await look(gateways, now, `some time after ${name}`);
      await sleep(20);
    }
    if (last !== undefined) await writer.exec(last);
  };
  try {
    await database.exec(`CREATE TABLE r (id integer PRIMARY KEY, n integer); INSERT INTO r VALUES (1, 0);
      CREATE TABLE bulk (id integer PRIMARY KEY, n integer); INSERT INTO bulk VALUES (1, 0);
      CREATE VIEW v AS SELECT id, n FROM r;`);
    if (engine.name === 'mariadb')
      await database.exec('CREATE TABLE words (id integer AUTO_INCREMENT PRIMARY KEY, t text, FULLTEXT (t))');
    await start(0);
    const { url } = await start('50ms');
    const isLogged = variant.hasLog || (engine.name === 'mysql' && (await other.query(logged)).length > 0);
    if (isLogged) await untilLogIsRead(url, database);
    for (const hold of holds[engine.name]) {
      const isPossible = hold.needs === null || (await other.query(hold.needs)).length > 0;
      if (!isPossible) leftOut.push(hold.name);
      else for (let round = 0; round < rounds; round++) await run(hold, round);
    }
    return { wrong, leftOut };
  } finally {
    for (const gateway of gateways) await gateway.close();
    for (const session of [writer, holder, other]) await session.close();
    await database.drop();
  }
}
