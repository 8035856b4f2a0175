/** The real haproxy and nginx with config/haproxy.cfg and config/nginx.conf, in front of three gateways that are restarted under load. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../support/admin-port.ts';
import { programAt, type Running } from '../support/program.ts';
import { anyServer, freshDatabase, type ServerDatabase } from '../support/servers/engines.ts';
import { find, thisMachine } from '../support/servers/programs.ts';
import { freePort } from '../support/servers/scope.ts';
import { token } from './served.ts';

const root = resolve(import.meta.dirname, '../..');
const search = '/api/3/action/datastore_search?resource_id=notes&limit=1';
const folder = mkdtempSync(join(tmpdir(), 'gateway-balancers-'));
const started: { readonly child: ChildProcess; readonly exit: Promise<unknown> }[] = [];

interface Place {
  readonly file: string;
  readonly url: string;
  readonly port: number;
  readonly admin: number;
  running: Running;
}
/** Several names of the same resource; to the load balancer they are different ones. */
const names = Array.from({ length: 8 }, (_, nth) => `notes-${nth}`);
let database: ServerDatabase;
let places: readonly Place[];

async function start(file: string): Promise<Running> {
  const running = await programAt(join(root, 'dist/main.js'), folder).serve(['serve', file]);
  if ('code' in running) throw new Error(running.stderr);
  return running;
}

beforeAll(async () => {
  const [engine] = anyServer();
  if (engine === undefined) throw new Error('TEST_ENGINES names no server');
  database = await freshDatabase(engine);
  await database.exec('CREATE TABLE notes (id int PRIMARY KEY, n int)');
  const opened: Place[] = [];
  for (const name of ['one', 'two', 'three']) {
    const [port, admin, file] = [await freePort(), await freePort(), join(folder, `${name}.yaml`)];
    const sha256 = createHash('sha256').update(token).digest('hex');
    const configuration = {
      server: { port, trustProxy: ['127.0.0.1'], drainDelay: '3s' },
      admin: { port: admin },
      log: { requests: 'all' },
      cache: { otherGateways: true },
      databases: { db: { client: engine.client, connection: database.url, maxStaleness: 0 } },
      resources: {
        notes: { database: 'db', table: 'notes', aliases: names, access: { read: 'public', write: 'token' } },
      },
      tokens: [{ name: 'writer', sha256, read: ['*'], write: ['*'] }],
    };
    writeFileSync(file, JSON.stringify(configuration));
    opened.push({ file, url: `http://127.0.0.1:${port}`, port, admin, running: await start(file) });
  }
  places = opened;
}, 120_000);
afterAll(async () => {
  for (const { child, exit } of started) {
    child.kill('SIGTERM');
    await exit;
  }
  for (const { running } of places ?? []) await running.stop();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

/** The configuration file with the addresses of this test. */
function adapted(name: string, port: number, edit: (text: string) => string): string {
  const text = edit(readFileSync(join(root, 'config', name), 'utf8'));
  const isHaproxy = name === 'haproxy.cfg';
  const placed = places.reduce(
    (so, { port, admin }, nth) =>
      so.replace(`10.0.0.1${nth + 1}:8000`, `127.0.0.1:${port}${isHaproxy ? ` port ${admin}` : ''}`),
    text,
  );
  expect(placed).not.toBe(text);
  if (isHaproxy) return placed.replace('bind :8080', `bind 127.0.0.1:${port}`);
  // Settings that are usually in the package's main configuration, for a user without privileges.
  const mainSettings = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;\n`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  return (
    mainSettings +
    placed.replace('listen 8080', `listen 127.0.0.1:${port}`).replace('http {', `http { access_log off; ${temporary}`)
  );
}

async function balance(name: 'haproxy.cfg' | 'nginx.conf', edit = (text: string) => text): Promise<string> {
  const [port, file] = [await freePort(), join(folder, name)];
  writeFileSync(file, adapted(name, port, edit));
  const program = name === 'haproxy.cfg' ? 'haproxy' : 'nginx';
  const args = program === 'haproxy' ? ['-db', '-f', file] : ['-c', file];
  const child = spawn(find(program, thisMachine()) ?? program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  started.push({ child, exit: once(child, 'exit') });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(url + search).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(answers, { timeout: 20_000, message: output }).toBe(true);
  return url;
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** A client with its own keep-alive connection. */
function client(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string, path: string, body?: object, id = ''): Promise<Sent> =>
    new Promise((done) => {
      const headers = {
        Authorization: token,
        'X-Forwarded-For': '192.0.2.7',
        'Content-Type': 'application/json',
        ...(id === '' ? {} : { 'X-Request-Id': id }),
      };
      const failed = (error: Error) => done({ status: 0, text: error.message });
      const sent = request(`${url}${path}`, { agent, method, headers, localAddress: '127.0.0.9' }, (res) => {
        let text = '';
        res.on('data', (chunk) => {
          text += chunk;
        });
        res.on('end', () => done({ status: res.statusCode ?? 0, text })).on('error', failed);
      });
      sent.on('error', failed).end(body === undefined ? '' : JSON.stringify(body));
    });
  return { send, close: () => agent.destroy() };
}

let last = 0;

/** Restarts each gateway while six clients read, and optionally write. @returns the failed calls, and the number of successful ones */
async function restartAll(url: string, writes: boolean) {
  const failed: unknown[] = [];
  let [read, written, isOver] = [0, 0, false];
  const clients = Array.from({ length: 6 }, () => client(url));
  const working = clients.map(async ({ send, close }) => {
    while (!isOver) {
      const found = await send('GET', search);
      if (found.status === 200) read++;
      else failed.push(['GET', found]);
      if (!writes) continue;
      const id = ++last;
      const record = { resource_id: 'notes', method: 'insert', records: [{ id, n: id }] };
      const stored = await send('POST', '/api/3/action/datastore_upsert', record);
      if (stored.status === 200) written++;
      else failed.push(['POST', stored]);
    }
    close();
  });
  for (const place of places) {
    const { code } = await place.running.stop();
    expect(code).toBe(0);
    place.running = await start(place.file);
    const isReady = async () => (await ask(`http://127.0.0.1:${place.admin}`, '/ready').catch(() => null))?.status;
    await expect.poll(isReady, { timeout: 20_000 }).toBe(200);
    // The load balancer checks the gateways once per second.
    await sleep(2500);
  }
  isOver = true;
  await Promise.all(working);
  return { failed, read, written };
}

test('a rolling restart behind haproxy fails no request, and writes nothing twice', { timeout: 180_000 }, async () => {
  const { failed, read, written } = await restartAll(await balance('haproxy.cfg'), true);
  expect(failed).toEqual([]);
  expect(Math.min(read, written)).toBeGreaterThan(50);
  expect(await database.query('SELECT count(*), count(DISTINCT n) FROM notes')).toEqual([
    [expect.anything(), expect.anything()].map(() => String(written)),
  ]);
});

test('a rolling restart behind nginx fails no read', { timeout: 180_000 }, async () => {
  const { failed, read } = await restartAll(await balance('nginx.conf'), false);
  expect(failed).toEqual([]);
  expect(read).toBeGreaterThan(50);
});

/** For each gateway the number of calls with this id that it has answered. */
const answered = (id: string) => places.map(({ running }) => running.said().split(`"${id}"`).length - 1);

test('each resource has its gateway where haproxy balances by resource', async () => {
  const byResource = (text: string) =>
    text.replace('  balance leastconn\n', '').replace(/^ {2}#(?=option|http-request|balance|hash)/gm, '  ');
  const { send, close } = client(await balance('haproxy.cfg', byResource));
  const found = new Set<number>();
  const ask = async (name: string) => {
    const id = `id-${++last}`;
    for (let times = 0; times < 3; times++) {
      await send('GET', search.replace('notes', name), undefined, id);
      await send('POST', '/api/3/action/datastore_search', { limit: 1, resource_id: name }, id);
    }
    await expect.poll(() => answered(id).reduce((sum, count) => sum + count, 0)).toBe(6);
    return answered(id);
  };
  for (const name of names) {
    let counts: readonly number[] = [];
    const sorted = async () => {
      counts = await ask(name);
      return counts.toSorted();
    };
    // A gateway that was too busy to answer a health check is skipped for a second.
    await expect.poll(sorted, { timeout: 20_000 }).toEqual([0, 0, 6]);
    found.add(counts.indexOf(6));
  }
  close();
  expect(found.size).toBeGreaterThan(1);
});

test('the address of a client is the one that the balancer saw', async () => {
  const addresses = places.flatMap(({ running }) =>
    running
      .said()
      .split('\n')
      .flatMap((line) => (/"msg":"answered"/.test(line) ? [/"address":"([^"]*)"/.exec(line)?.[1]] : [])),
  );
  expect(new Set(addresses)).toContain('127.0.0.9');
  expect(new Set(addresses)).not.toContain('192.0.2.7');
});
