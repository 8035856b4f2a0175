/** Commits that are in the server's log for long before others can see them: "in the log" must not be taken for "visible". */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { installFeed } from '../../support/queried-feeds.ts';
import { freshDatabase, openSession, type ServerEngine } from '../../support/servers/engines.ts';
import { untilNamed } from './check.ts';
import type { Variant } from './variants.ts';

/** How one commit is held, and let go, by another session. */
interface Hold {
  readonly name: string;
  /** Whether it is of a server that writes a binary log. */
  readonly needsLog?: true;
  /** Before it is held. */
  readonly before: readonly string[];
  readonly held: string;
  readonly hold: readonly string[];
  readonly release: readonly string[];
  /** Whether the commits of others go on meanwhile. */
  readonly isAlone: boolean;
}

const write = 'UPDATE r SET n = n + 1 WHERE id = 1';
/** A standby that is not there. The one session that waits for it is let go by its cancellation: the commit stands. */
const standby = {
  hold: [],
  release: [`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`],
  isAlone: true,
};
const [free, waits] = ['SET synchronous_commit = local', 'SET synchronous_commit = on'];
/** The same on MariaDB: the commit is in the binary log, and waits. */
const replica = {
  needsLog: true,
  hold: [
    'SET GLOBAL rpl_semi_sync_master_timeout = 60000, rpl_semi_sync_master_wait_point = AFTER_SYNC, rpl_semi_sync_master_enabled = ON',
  ],
  release: ['SET GLOBAL rpl_semi_sync_master_enabled = OFF'],
  isAlone: false,
} as const;
const readLock = { hold: ['FLUSH TABLES WITH READ LOCK'], release: ['UNLOCK TABLES'], isAlone: false };
const backup = {
  hold: ['START', 'FLUSH', 'BLOCK_DDL', 'BLOCK_COMMIT'].map((stage) => `BACKUP STAGE ${stage}`),
  release: ['BACKUP STAGE END'],
  isAlone: false,
};
const xa = [`XA START 'x'`, write, `XA END 'x'`, `XA PREPARE 'x'`];

const postgres: readonly Hold[] = [
  { name: 'a commit waits for a standby', before: [waits, 'BEGIN', write], held: 'COMMIT', ...standby },
  {
    name: 'a prepared transaction waits for a standby',
    before: [free, 'BEGIN', write, `PREPARE TRANSACTION 'p'`, waits],
    held: `COMMIT PREPARED 'p'`,
    ...standby,
  },
];
const mysql: readonly Hold[] = [
  { name: 'a commit waits for a lock of all tables', before: ['BEGIN', write], held: 'COMMIT', ...readLock },
];
const mariadb: readonly Hold[] = [
  ...mysql,
  { name: 'a commit waits for a backup', before: ['BEGIN', write], held: 'COMMIT', ...backup },
  { name: 'a statement waits for a replica', before: [], held: write, ...replica },
  { name: 'an XA transaction waits for a replica', before: xa, held: `XA COMMIT 'x'`, ...replica },
];
const holds = (engine: ServerEngine, { hasLog }: Variant) =>
  (engine.client === 'postgres' ? postgres : engine.name === 'mariadb' ? mariadb : mysql).filter(
    ({ needsLog }) => !needsLog || hasLog,
  );
const waiting = {
  postgres: `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  mysql: `SELECT 1 FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for%' AND INFO LIKE '%COMMIT%' OR STATE LIKE '%semi-sync%'`,
};

/** Milliseconds: longer, and shorter, than a token may be early. */
const lasts = [320, 90];

/** @returns a sentence for each answer that was wrong */
export async function checkHeld(engine: ServerEngine, variant: Variant, rounds: number): Promise<readonly string[]> {
  const database = await freshDatabase(engine);
  const [writer, holder, other] = [
    await openSession(database),
    await openSession(database),
    await openSession(database),
  ];
  const gateways: TestGateway[] = [];
  const wrong: string[] = [];
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
  /** Looks at the answers of gateways. */
  const look = async (of: readonly TestGateway[], expected: number, when: string) => {
    for (const table of ['r', 'v'])
      for (const { url } of of) {
        const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=${table}`);
        const { result }: { result: { records: { n: number }[] } } = JSON.parse(await response.text());
        const n = result.records[0]?.n;
        if (n !== expected) wrong.push(`${when}: ${table} shows ${n}, not ${expected}`);
      }
  };
  const run = async ({ name, before, held, hold, release, isAlone }: Hold, round: number) => {
    const [[shown = ''] = []] = await database.query('SELECT n FROM r');
    const [old, now] = [Number(shown), Number(shown) + 1];
    await look(gateways, old, `before ${name}`);
    for (const statement of before) await writer.exec(statement);
    for (const statement of hold) await holder.exec(statement);
    let written: Promise<void> | null = null;
    try {
      written = writer.exec(held);
      written.catch(() => undefined);
      const isHeld = async () => (await other.query(waiting[engine.client])).length;
      await expect.poll(isHeld, { timeout: 5000 }).toBeGreaterThan(0);
      // One gateway more begins meanwhile.
      if (round === 1) await start('50ms');
      for (const until = performance.now() + (lasts[round % lasts.length] ?? 0); performance.now() < until; ) {
        await look(gateways, old, `while ${name}`);
        if (isAlone) await other.exec('UPDATE bulk SET n = n + 1');
        await sleep(10);
      }
      // All that others have committed is proved: only the held one is missing.
      await sleep(60);
      await look(gateways, old, `while ${name}`);
    } finally {
      for (const statement of release) await holder.exec(statement);
      await written;
    }
    await look(gateways.slice(0, 1), now, `after ${name}`);
    await sleep(60);
    // Nobody writes any more: what is kept now would be kept for good.
    for (let time = 0; time < 3; time++) {
      await look(gateways, now, `some time after ${name}`);
      await sleep(20);
    }
  };
  try {
    await database.exec(`CREATE TABLE r (id integer PRIMARY KEY, n integer); INSERT INTO r VALUES (1, 0);
      CREATE TABLE bulk (id integer PRIMARY KEY, n integer); INSERT INTO bulk VALUES (1, 0);
      CREATE VIEW v AS SELECT id, n FROM r;`);
    await installFeed(variant.queried, database, ['r', 'v']);
    await start(0);
    const { url } = await start('50ms');
    if (variant.hasLog || variant.queried !== null) await untilNamed(url, database);
    for (const hold of holds(engine, variant)) for (let round = 0; round < rounds; round++) await run(hold, round);
    return wrong;
  } finally {
    for (const gateway of gateways) await gateway.close();
    for (const session of [writer, holder, other]) await session.close();
    await database.drop();
  }
}
