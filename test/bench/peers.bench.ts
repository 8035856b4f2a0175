/** The same reads by other servers that provide an API for a table; each on the first core, in turn. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, freshDatabase, type ServerDatabase, servers } from '../support/servers/engines.ts';
import { openScope } from '../support/servers/scope.ts';
import { ensureWrk, pinned, program } from './load.ts';
import { inTurn, type Measured } from './peers/measure.ts';
import { type Paths, type RunningServer, reads } from './peers/other-server.ts';
import { otherServers } from './peers/other-servers.ts';
import { fillFilms, filmColumns } from './peers/tables.ts';
import { ratioOf, report } from './report.ts';

const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS_EACH ?? 1);
const names = ['filtered', 'byKey', 'later'] as const;
const measured: (readonly string[])[] = [];
const absent: string[] = [];

beforeAll(ensureWrk);
afterAll(() => {
  const without = absent.length === 0 ? '' : `, without ${absent.join(' and ')}`;
  const header = ['Read, server', 'Gateway, not cached (1/s)', 'The server (1/s)', 'Ratio', 'CPU per call (ms)'];
  report(
    'peers',
    `Reads of 14,000 records beside other servers, each in one process, CKAN with one call at a time${without}`,
    [...header, 'RSS (MB)'],
    measured,
  );
});

test.each(byName(servers()))('%s', async (_, engine) => {
  const scope = openScope();
  const database = await freshDatabase(engine);
  const stops: (() => Promise<void>)[] = [];
  try {
    await fillFilms(database);
    const [gateway, hand] = [await startGateway(database, scope.folder), await startHand(database)];
    stops.push(gateway.stop, hand.stop);
    const all = new Map<string, RunningServer>([
      ['gateway', { ...gateway, paths: searches('films') }],
      ['gateway, cached', { ...gateway, paths: searches('cached') }],
      ['handler by hand', { ...hand, paths: { filtered: '/filtered', byKey: '/byKey', later: '/later' } }],
    ]);
    for (const other of otherServers) {
      const running = await other.start(database, scope);
      if (running !== null) all.set(other.name, running);
      else {
        absent.push(other.name);
        console.log(`${other.name} is not measured: it needs ${other.needs}`);
      }
    }
    for (const read of names) {
      const [name, films] = reads[read];
      for (const [server, { url, paths }] of all)
        expect([server, await filmsOf(url + paths[read])]).toEqual([server, films]);
      const contenders = [...all.values()].map((one) => {
        return { ...one, request: { method: 'GET', path: one.paths[read], headers: {} } as const };
      });
      const [own, ...others] = await inTurn(contenders, { isLong: false, rounds, seconds, server: null });
      const [, ...servers] = all;
      for (const [nth, [server, { pid }]] of servers.entries())
        measured.push([`${name}: ${server}`, ...cellsOf(own, others[nth]), residentMb(pid)]);
    }
  } finally {
    for (const stop of stops) await stop();
    await scope.close();
    await database.drop();
  }
});

function cellsOf(own: Measured | undefined, other: Measured | undefined): readonly string[] {
  const shown = (figure = Number.NaN) => figure.toFixed(figure < 10 ? 2 : 0);
  const rates = [shown(own?.perSecond), shown(other?.perSecond)] as const;
  return [...rates, ratioOf(...rates), shown(other?.own)];
}

/** The number of films in an answer. */
async function filmsOf(url: string): Promise<number> {
  return (await (await fetch(url)).text()).split('Film number ').length - 1;
}

const residentMb = (pid: number): string =>
  (Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000).toFixed(0);

const searches = (resource: string): Paths => {
  const search = `/api/3/action/datastore_search?resource_id=${resource}&include_total=false`;
  return {
    filtered: `${search}&filters=%7B%22language_id%22:3%7D&limit=100`,
    byKey: `${search}&filters=%7B%22id%22:77%7D`,
    later: `${search}&limit=100&offset=7000`,
  };
};

function startGateway({ url }: ServerDatabase, folder: string) {
  const file = join(folder, 'gateway.yaml');
  const resource = (ttl: string) => `{ database: db, table: films, access: { read: public }, cache: { ttl: ${ttl} } }`;
  writeFileSync(
    file,
    `server: { port: 0 }
databases: { db: { client: postgres, connection: "${url}" } }
resources: { films: ${resource('0s')}, cached: ${resource('1h')} }
`,
  );
  return pinned([program, 'serve', file]);
}

function startHand({ url }: ServerDatabase) {
  const statements = {
    '/filtered': ['SELECT * FROM films WHERE language_id = 3 ORDER BY id LIMIT 100'],
    '/byKey': ['SELECT * FROM films WHERE id = 77'],
    '/later': ['SELECT * FROM films ORDER BY id LIMIT 100 OFFSET 7000'],
  };
  const file = join(import.meta.dirname, 'peers/hand.mjs');
  return pinned([file, 'postgres', url, JSON.stringify(filmColumns), JSON.stringify(statements)]);
}
