/** Reads through the gateway while other clients write to the database, and reports every answer that is staler than allowed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

export interface Course {
  readonly maxStaleness: string | number;
  /** Whether the gateway can read the server's log; if so, reading starts once it does. */
  readonly hasLog?: boolean;
  /** Reads of all readers together. */
  readonly reads: number;
  /** The number of cache hits required. A slow machine has few hits between writes, so it continues for up to ten times as many reads. */
  readonly hits?: number;
  /** Turns the URL of the server that is written to into that of the server that is read, such as a standby. */
  readonly readFrom?: (url: string) => string;
  /** Called every hundred reads to disturb the gateway's connections. Calls may fail then. */
  readonly disturb?: (tap: Tap) => Promise<void> | void;
}

export interface Found {
  readonly hits: number;
  readonly misses: number;
  /** Calls that failed. */
  readonly failed: number;
  readonly writes: number;
  /** How stale the oldest cached answer was, in milliseconds. */
  readonly worst: number;
  /** A sentence for each answer that was staler than `maxStaleness`. */
  readonly stale: readonly string[];
}

/** PostgreSQL: ends all replication streams. */
export const endStreams = 'SELECT pg_terminate_backend(pid) FROM pg_stat_replication';

const rows = [1, 2, 3, 4];
/** With a view, whose answers depend on the table below. */
const schema = `CREATE TABLE r (id integer PRIMARY KEY, n integer); CREATE TABLE bulk (id integer PRIMARY KEY, n integer);
  CREATE VIEW v AS SELECT id, n FROM r; INSERT INTO r VALUES ${rows.map((id) => `(${id}, 0)`).join(', ')};
  INSERT INTO bulk VALUES ${Array.from({ length: 1000 }, (_, i) => `(${i}, 0)`).join(', ')};`;

/** Ways to write a row, without touching rows of other writers. Each commits once; in some, the first statement runs long before the commit. */
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

/** A row with its own writer: the committed values, and when each commit was confirmed. */
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
  if (hasLog) await untilLogIsRead(url, database);
  const written = rows.map((id): Written => ({ id, commits: [] }));
  let isOver = false;
  const writing = Promise.all(
    written.map((row, nth) => write(database, row, nth, () => isOver, readFrom === undefined)),
  );
  const found = { hits: 0, misses: 0, failed: 0, worst: 0, stale: [] as string[] };
  const ask = async (row: Written, table: string) => {
    const began = performance.now();
    const filters = encodeURIComponent(JSON.stringify({ id: row.id }));
    const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=${table}&filters=${filters}`);
    const text = await response.text();
    if (disturb !== undefined && response.status === 503) {
      found.failed++;
      // As a client would. While the database counts as down, a call fails within a millisecond.
      await sleep(100);
      return;
    }
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    const { result }: { result: { records: { n: number }[] } } = JSON.parse(text);
    const n = result.records[0]?.n ?? Number.NaN;
    const isHit = response.headers.get('x-cache') === 'HIT';
    if (isHit) found.hits++;
    else found.misses++;
    const missed = row.commits.find((commit) => commit.n > n);
    const staleMs = missed === undefined ? 0 : began - missed.at;
    found.worst = Math.max(found.worst, staleMs);
    if (Number.isNaN(n) || staleMs > limit)
      found.stale.push(
        `${table} ${row.id}: ${n} (${isHit ? 'HIT' : 'MISS'}), ${staleMs.toFixed(1)} ms after ${missed?.n}`,
      );
  };
  const read = async (nth: number) => {
    // Long enough for several phases of the writers, however fast the reads are.
    const earliestEnd = performance.now() + 3 * phase;
    const goesOn = (i: number) => i < reads || performance.now() < earliestEnd || (found.hits < hits && i < 10 * reads);
    for (let i = nth; goesOn(i) && found.stale.length === 0; i += readers) {
      const row = written[(i * 7 + nth) % rows.length];
      if (row !== undefined) await ask(row, i % 3 === 0 ? 'v' : 'r');
      // Now and then a pause that is longer than a proof is valid.
      if (i % 97 === 0) await sleep(60);
      if (i % 100 === 99) await disturb?.(tap);
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, nth) => read(nth)));
  isOver = true;
  await writing;
  await sleep(limit);
  // Finally read everything once more: an entry that is never invalidated is worse than a late one.
  for (const row of written) for (const table of ['r', 'v']) await ask(row, table);
  const writes = written.reduce((sum, { commits }) => sum + commits.length, 0);
  return { ...found, writes };
}

/** Waits until the log is being read: a write to the table `bulk`, which has no resource, no longer invalidates the answers of `r`. */
export async function untilLogIsRead(url: string, database: Pick<ServerDatabase, 'exec'>): Promise<void> {
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
/** Length of the writing and of the quiet phases in milliseconds. */
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
    // With asynchronous commits, the writer gets its confirmation before the commit is on disk and in the log.
    if (mayBeEarly && database.client === 'postgres' && nth % 2 === 1)
      await session.exec('SET synchronous_commit = off');
    for (let n = 1; !isOver(); n++) {
      for (const statement of writes[(n + nth) % writes.length]?.(row.id, n) ?? []) await session.exec(statement);
      row.commits.push({ n, at: performance.now() });
      await sleep(5 + ((n * 37 + nth * 11) % 60));
      // Half of the time nobody writes. Equal commit markers, and so hits, only occur in these phases, and bugs at their ends.
      while (performance.now() % (2 * phase) > phase && !isOver()) await sleep(10);
    }
  } finally {
    await session.close();
  }
}
