/**
 * Typical calls, mostly not cached, compared with hand-written code and the server's own client; also the CPU time per request. `WORKS_HUGE=1` adds a
 * table of ten million records.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  byName,
  freshDatabase,
  onePerDriver,
  type ServerDatabase,
  type ServerEngine,
} from '../support/servers/engines.ts';
import { startMariadb } from '../support/servers/mariadb.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { ensureWrk, pinned, program } from './load.ts';
import { inTurn } from './peers/measure.ts';
import { askedByOwnClient, ownClientOf } from './peers/own-client.ts';
import { processIdOf } from './peers/processor-time.ts';
import { fill, filmColumns } from './peers/tables.ts';
import { worksOf } from './peers/works.ts';
import { ratioOf, report } from './report.ts';
import { token } from './served.ts';

const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS_EACH ?? 1);
const isHuge = process.env.WORKS_HUGE !== undefined;
const measured: (readonly string[])[] = [];

beforeAll(ensureWrk);
afterAll(() => {
  const rates = ['Gateway', 'handler by hand', "server's own client"];
  const times = ['CPU of the gateway (ms)', 'of its server', 'CPU of the handler by hand (ms)', 'of its server'];
  report(
    'works',
    'Typical works, one process',
    ['Work', ...rates.map((one) => `${one} (1/s)`), 'Ratio to the handler', ...times],
    measured,
  );
});

test.each(byName(onePerDriver()))('%s', async (name, engine) => {
  const scope = openScope();
  const database = await freshDatabase(await withMemory(engine, scope));
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    await fill(database, isHuge);
    const works = worksOf(engine.client, isHuge);
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, configuration(database));
    const gateway = await pinned([program, 'serve', file]);
    stops.push(gateway.stop);
    const byPath = works.map(({ byHand }, nth) => [`/${nth}`, byHand]);
    const hand = await pinned([
      ...[join(import.meta.dirname, 'peers/hand.mjs'), engine.client, database.url],
      ...[JSON.stringify(filmColumns), JSON.stringify(Object.fromEntries(byPath))],
    ]);
    stops.push(hand.stop);
    const server = await processIdOf(database);
    for (const [nth, { name: work, request, byHand, isLong }] of works.entries()) {
      const handRequest = byHand === 'same' ? request : { ...request, path: `/${nth}` };
      const contenders = [{ ...gateway, request }, ...(byHand === null ? [] : [{ ...hand, request: handRequest }])];
      const [own, other] = await inTurn(contenders, { isLong, rounds, seconds, server });
      const client = byHand === null || byHand === 'same' ? null : await clientRate(database, byHand);
      const rates = [own?.perSecond, other?.perSecond, client];
      const times = [own?.own, own?.server, other?.own, other?.server];
      const ratio = ratioOf(shown(own?.perSecond), shown(other?.perSecond));
      measured.push([`${name}: ${work}`, ...rates.map(shown), ratio, ...times.map(shown)]);
    }
    expect(measured.length).toBeGreaterThanOrEqual(works.length);
  } finally {
    for (const stop of stops) await stop();
    await database.drop();
    await scope.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The tests' MariaDB is configured for small tables, so this starts one with more memory. A server from a URL is used as it is. */
async function withMemory(engine: ServerEngine, scope: Scope): Promise<ServerEngine> {
  if (engine.name !== 'mariadb' || process.env.TEST_MARIADB_URL !== undefined) return engine;
  const memory = ['--innodb-buffer-pool-size=1G', '--innodb-log-file-size=256M'];
  return { ...engine, url: await startMariadb(scope, thisMachine(), memory) };
}

async function clientRate(database: ServerDatabase, sql: readonly string[]): Promise<number | null> {
  const client = ownClientOf(database);
  return client === null ? null : askedByOwnClient(client, database, sql, seconds);
}

/** Formats a figure: two decimals if it is small, empty if there is none. */
function shown(figure: number | null | undefined): string {
  if (figure === null || figure === undefined || Number.isNaN(figure)) return '';
  return figure.toFixed(figure < 10 ? 2 : 0);
}

function configuration({ client, url }: ServerDatabase): string {
  const sha256 = createHash('sha256').update(token).digest('hex');
  const resource = (table: string, ttl: string, more: string) =>
    `{ database: db, table: ${table}, access: { read: token, write: token }, cache: { ttl: ${ttl} }${more} }`;
  const native = ', search: { mode: native, columns: [body] }';
  const flag = client === 'mysql' ? ', columns: { in_stock: { boolean: true } }' : '';
  return `server: { port: 0 }
databases: { db: { client: ${client}, connection: "${url}", statementTimeout: 1m } }
resources:
  films: ${resource('films', '0s', flag)}
  big: ${resource('big', '0s', native)}
  paged: ${resource('big', '1h', native)}
  counted: ${resource('big', '1h', ', search: { columns: [body] }')}
${isHuge ? `  huge: ${resource('huge', '0s', '')}\n` : ''}tokens: [{ name: bench, sha256: "${sha256}", read: ["*"], write: ["*"] }]
limits: { totalBudget: 100ms }
`;
}
