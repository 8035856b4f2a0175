/** Reads through the gateway while other programs write past it, and finds every answer that is older than it may be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

export interface Course {
  readonly maxStaleness: string | number;
  /** Whether the log of the server names the tables that are written; reading begins when it does. */
  readonly hasLog?: boolean;
  /** Reads of all readers together. */
  readonly reads: number;
  /** Hits that it has to meet. A slow machine has few between two writes, so it reads on for them, up to ten times as much. */
  readonly hits?: number;
  /** The URL of the server that is read, for that of the one that is written: its confirmed commits can be seen there. */
  readonly readFrom?: (url: string) => string;
  /** Happens to the gateway's connections every hundred reads; calls may fail then. */
  readonly disturb?: (tap: Tap) => Promise<void> | void;
}

export interface Found {
  readonly hits: number;
  readonly misses: number;
  /** Calls that were answered with an error. */
  readonly failed: number;
  readonly writes: number;
  /** Milliseconds by which the oldest cached answer was behind a commit. */
  readonly worst: number;
  /** A sentence for each answer that was older than `maxStaleness`. */
  readonly stale: readonly string[];
}

/** On PostgreSQL: ends the streams of its log. */
export const endStreams = 'SELECT pg_terminate_backend(pid) FROM pg_stat_replication';

const rows = [1, 2, 3, 4];
/** A view over the table, so that its answers depend on a table below. */
const schema = `CREATE TABLE r (id integer PRIMARY KEY, n integer); CREATE TABLE bulk (id integer PRIMARY KEY, n integer);
  CREATE VIEW v AS SELECT id, n FROM r; INSERT INTO r VALUES ${rows.map((id) => `(${id}, 0)`).join(', ')};
  INSERT INTO bulk VALUES ${Array.from({ length: 1000 }, (_, i) => `(${i}, 0)`).join(', ')};`;

/** How each row is written, without meeting the writers of the others. Every one is a commit of its own, and the first statement of some is long before their commit. */
const writes: readonly ((id: number, n: number) => readonly string[])[] = [
  (id, n) => [`UPDATE r SET n = ${n} WHERE id = ${id}`],
  (id, n) => ['BEGIN', `UPDATE r SET n = ${n} WHERE id = ${id}`, 'SELECT 1', 'COMMIT'],
  (id, n) => [
    'BEGIN',
    `UPDATE bulk SET n = n + 1 WHERE id >= ${200 * (id - 1)} AND id < ${200 * id}`,
    `UPDATE r SET n = ${n} WHERE id = ${id}`,
    'COMMIT',
  ],
  (id, n) => ['BEGIN', `DELETE FROM r WHERE id = ${id}`, `INSERT INTO r VALUES (${id}, ${n})`, 'COMMIT'],
];

/** One row, written by a session of its own: the values that were committed, and when that was answered. */
interface Written {
  readonly id: number;
  readonly commits: { readonly n: number; readonly at: number }[];
}

/** Checks a gateway in this process. */
export const check = (engine: ServerEngine, course: Course): Promise<Found> =>
  checkServed(engine, course, async (configuration) => {
    const { url, close } = await startGateway(configuration);
    return { url, stop: close };
  });

/** @param serve starts a gateway with this configuration */
export async function checkServed(
  engine: ServerEngine,
  course: Course,
  serve: (configuration: Record<string, unknown>) => Promise<{ readonly url: string; stop(): Promise<unknown> }>,
): Promise<Found> {
  const { maxStaleness, readFrom = (url) => url } = course;
  const database = await freshDatabase(engine);
  const tap = await openTap(readFrom(database.url));
  try {
    await database.exec(schema);
    const resource = (table: string) => ({ database: 'db', table, key: ['id'], access: { read: 'public' } });
    const gateway = await serve({
      databases: { db: { client: database.client, connection: tap.url, maxStaleness } },
      resources: { r: resource('r'), v: resource('v') },
      cache: { ttl: '1h' },
    });
    try {
      const limit = maxStaleness === 0 ? 0 : Number.parseInt(String(maxStaleness), 10);
      return await checked(gateway.url, database, tap, course, limit);
    } finally {
      await gateway.stop();
    }
  } finally {
    tap.close();
    await database.drop();
  }
}

async function checked(
  url: string,
  database: ServerDatabase,
  tap: Tap,
  { reads, hits = 0, disturb, readFrom, hasLog = false }: Course,
  limit: number,
): Promise<Found> {
  if (hasLog) await untilNamed(url, database);
  const written = rows.map((id): Written => ({ id, commits: [] }));
  let isOver = false;
  const writing = Promise.all(
    written.map((row, nth) => write(database, row, nth, () => isOver, readFrom === undefined)),
  );
  const found = { hits: 0, misses: 0, failed: 0, worst: 0, stale: [] as string[] };
  const ask = async (row: Written, table: string) => {
    const begun = performance.now();
    const filters = encodeURIComponent(JSON.stringify({ id: row.id }));
    const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=${table}&filters=${filters}`);
    const text = await response.text();
    if (disturb !== undefined && response.status === 503) {
      found.failed++;
      return;
    }
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    const { result }: { result: { records: { n: number }[] } } = JSON.parse(text);
    const n = result.records[0]?.n ?? Number.NaN;
    const isHit = response.headers.get('x-cache') === 'HIT';
    if (isHit) found.hits++;
    else found.misses++;
    const missed = row.commits.find((commit) => commit.n > n);
    const late = missed === undefined ? 0 : begun - missed.at;
    found.worst = Math.max(found.worst, late);
    if (Number.isNaN(n) || late > limit)
      found.stale.push(
        `${table} ${row.id}: ${n} (${isHit ? 'HIT' : 'MISS'}), ${late.toFixed(1)} ms after ${missed?.n}`,
      );
  };
  const read = async (nth: number) => {
    // Fast reads would all be in one phase of the writers.
    const least = performance.now() + 3 * phase;
    const goesOn = (i: number) => i < reads || performance.now() < least || (found.hits < hits && i < 10 * reads);
    for (let i = nth; goesOn(i) && found.stale.length === 0; i += readers) {
      const row = written[(i * 7 + nth) % rows.length];
      if (row !== undefined) await ask(row, i % 3 === 0 ? 'v' : 'r');
      // Now and then nobody asks for longer than a proof holds.
      if (i % 97 === 0) await sleep(60);
      if (i % 100 === 99) await disturb?.(tap);
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, nth) => read(nth)));
  isOver = true;
  await writing;
  await sleep(limit);
  // Kept for good is worse than late.
  for (const row of written) for (const table of ['r', 'v']) await ask(row, table);
  const writes = written.reduce((sum, { commits }) => sum + commits.length, 0);
  return { ...found, writes };
}

/** Until a write to the table `bulk`, which has no resource, leaves the answers of `r` in the cache. */
export async function untilNamed(url: string, database: Pick<ServerDatabase, 'exec'>): Promise<void> {
  for (const until = performance.now() + 20_000; performance.now() < until; ) {
    await fetch(`${url}/api/3/action/datastore_search?resource_id=r`);
    await database.exec('UPDATE bulk SET n = n + 1 WHERE id = 1');
    await sleep(60);
    const { headers } = await fetch(`${url}/api/3/action/datastore_search?resource_id=r`);
    if (headers.get('x-cache') === 'HIT') return;
  }
  throw new Error('the log names nothing');
}

const readers = 3;
/** Milliseconds of writing, and of quiet. */
const phase = 400;

async function write(
  database: ServerDatabase,
  row: Written,
  nth: number,
  isOver: () => boolean,
  mayBeEarly: boolean,
): Promise<void> {
  const session = await openSession(database);
  try {
    // Confirmed before it is on the disk, and told to others later.
    if (mayBeEarly && database.client === 'postgres' && nth % 2 === 1)
      await session.exec('SET synchronous_commit = off');
    for (let n = 1; !isOver(); n++) {
      for (const statement of writes[(n + nth) % writes.length]?.(row.id, n) ?? []) await session.exec(statement);
      row.commits.push({ n, at: performance.now() });
      await sleep(5 + ((n * 37 + nth * 11) % 60));
      // Half of the time nobody writes: equal tokens and hits are of these times, and the mistakes of their ends.
      while (performance.now() % (2 * phase) > phase && !isOver()) await sleep(10);
    }
  } finally {
    await session.close();
  }
}
