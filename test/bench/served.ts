/** Shared by the benchmarks of calls: a table of a thousand records, a gateway for it, and rounds in turn. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { type Load, pinned, program, type Request, wrk } from './load.ts';
import { median, ratioOf } from './report.ts';

export const token = 'a-token-of-the-benchmark';
export const headers = { Authorization: token, 'User-Agent': 'bench', Accept: '*/*' };
export const postHeaders = { ...headers, 'Content-Type': 'application/json' };
export const rounds = Number(process.env.ROUNDS ?? 20);
const pairs = 3;
export const seconds = Number(process.env.SECONDS_EACH ?? 1);

const tables = {
  postgres: [
    'CREATE TABLE records (id serial PRIMARY KEY, name text, note text, price numeric(10,2), day date)',
    "INSERT INTO records (name, note, price, day) SELECT 'record number ' || n, repeat('abcdefg ', 6), n * 1.25, date '2020-01-01' + n FROM generate_series(1, 1000) n",
  ],
  mysql: [
    'CREATE TABLE records (id int AUTO_INCREMENT PRIMARY KEY, name text, note text, price numeric(10,2), day date) ENGINE=InnoDB',
    'CREATE TABLE d (n int PRIMARY KEY) ENGINE=InnoDB',
    'INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    "INSERT INTO records (name, note, price, day) SELECT CONCAT('record number ', n), REPEAT('abcdefg ', 6), n * 1.25, DATE '2020-01-01' + INTERVAL n DAY FROM (SELECT 1 + a.n + 10 * b.n + 100 * c.n AS n FROM d a, d b, d c) numbers ORDER BY n",
  ],
};

/**
 * Starts a gateway on the first core, with a new database.
 * @param cache the cache settings of the resource, in YAML
 * @param more additional lines of the configuration
 * @param staleness the database's `maxStaleness`, in YAML
 * @param prepare runs after the table was created
 * @param replicated instead of a new database that of another gateway, with the URLs of its replicas
 * @param workers the number of processes, which may use any core
 * @param takesSql whether the SQL parser is loaded
 */
export async function served(
  engine: ServerEngine,
  cache: string,
  more = '',
  staleness = '50ms',
  prepare: (database: ServerDatabase) => Promise<void> = async () => undefined,
  replicated: { readonly of: ServerDatabase; readonly replicas: readonly string[] } | null = null,
  workers: number | null = null,
  takesSql = false,
) {
  const database = replicated?.of ?? (await freshDatabase(engine));
  if (replicated === null) for (const sql of tables[engine.client]) await database.exec(sql);
  await prepare(database);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const file = join(folder, 'gateway.yaml');
  const sha256 = createHash('sha256').update(token).digest('hex');
  writeFileSync(
    file,
    `server: { port: 0, workers: ${workers ?? 1} }
databases: { db: { client: ${engine.client}, connection: "${database.url}", maxStaleness: ${staleness}, replicas: ${JSON.stringify(replicated?.replicas ?? [])} } }
resources: { records: { database: db, table: records, access: { read: token, write: token, sql: ${takesSql} }, cache: ${cache} } }
tokens: [{ name: bench, sha256: "${sha256}", read: ["*"], write: ["*"] }]
${more}
`,
  );
  const gateway = await pinned([program, 'serve', file], workers === null ? '0' : '0,1');
  return {
    ...gateway,
    database,
    folder,
    async stop() {
      await gateway.stop();
      if (replicated === null) await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The hit rate in percent for a client that sends a thousand calls per second for five seconds, while the table `mark`, which has no resource, is written to. */
export async function hitsWhileOthersCommit(
  { client }: ServerEngine,
  { url, database }: Awaited<ReturnType<typeof served>>,
  path: string,
): Promise<number> {
  const session = await openSession({ client, url: database.url });
  let isOver = false;
  const writing = (async () => {
    for (; !isOver; await sleep(10)) await session.exec('INSERT INTO mark VALUES (1)');
  })();
  let [hits, all] = [0, 0];
  for (const until = performance.now() + 5000; performance.now() < until; all++) {
    const response = await fetch(`${url}${path}`, { headers });
    await response.arrayBuffer();
    if (response.headers.get('x-cache') === 'HIT') hits++;
    await sleep(1);
  }
  isOver = true;
  await writing;
  await session.close();
  return (100 * hits) / all;
}

/** A careful hand-written server for the same calls and only this table (`hand.mjs`). */
export const byHand = (engine: ServerEngine, url: string) =>
  pinned([join(import.meta.dirname, 'hand.mjs'), engine.client, url]);

/** Compares a call to the gateway with the same call to the hand-written server. */
export async function besideHand(engine: ServerEngine, cache: string, request: Request, connections: number) {
  const gateway = await served(engine, cache);
  const hand = await byHand(engine, gateway.database.url);
  try {
    return await inTurn({ url: gateway.url, request }, { url: hand.url, request }, connections);
  } finally {
    await hand.stop();
    await gateway.stop();
  }
}

export interface Contender {
  readonly url: string;
  readonly request: Request;
}

export interface Pair {
  readonly own: Contender;
  readonly other: Contender;
  stop(): Promise<void>;
}

/** Compares several pairs of processes in sequence: the code that V8 compiles is faster in some processes than in others. */
export async function inPairs(open: () => Promise<Pair>, connections: number) {
  const runs: Run[] = [];
  for (let nth = 0; nth < pairs; nth++) {
    const { own, other, stop } = await open();
    try {
      runs.push(...(await turns(own, other, connections, Math.ceil(rounds / pairs))));
    } finally {
      await stop();
    }
  }
  return medians(runs);
}

/** Compares two running processes. */
export async function inTurn(own: Contender, other: Contender, connections: number) {
  return medians(await turns(own, other, connections, rounds));
}

interface Run {
  readonly own: Load;
  readonly other: Load;
}

/** Alternates between both, so that other load on the machine affects them equally. */
async function turns(own: Contender, other: Contender, connections: number, times: number): Promise<readonly Run[]> {
  const once = ({ url, request }: Contender, each: number) => wrk(url, request, connections, each);
  await once(own, 2);
  await once(other, 2);
  const runs: Run[] = [];
  for (let round = 0; round < times; round++)
    runs.push({ own: await once(own, seconds), other: await once(other, seconds) });
  return runs;
}

/**
 * `ratio` is the median of the ratios in each round. It is used for the limits of benchmarks, because it does not change when the machine slows down
 * for a while.
 */
function medians(runs: readonly Run[]) {
  const medianOf = (what: (run: Run) => number) => median(runs.map(what));
  return {
    ratio: medianOf(({ own, other }) => own.perSecond / other.perSecond),
    own: { perSecond: medianOf(({ own }) => own.perSecond), p99: medianOf(({ own }) => own.p99) },
    other: { perSecond: medianOf(({ other }) => other.perSecond), p99: medianOf(({ other }) => other.p99) },
  };
}

/** The cells of a row: the name of the comparison, then those in `columns`. */
export const cellsOf = (name: string, { own, other }: Awaited<ReturnType<typeof inTurn>>) => {
  const rates = [own.perSecond.toFixed(0), other.perSecond.toFixed(0)] as const;
  return [name, ...rates, ratioOf(...rates), own.p99.toFixed(1), other.p99.toFixed(1)];
};
export const columns = (other: string) => ['Gateway (1/s)', `${other} (1/s)`, 'Ratio', 'p99 (ms)', `p99 ${other} (ms)`];
