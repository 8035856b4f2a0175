/** Random valid and broken connections that end at random moments, against the program as an operator runs it. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, metric } from '../support/admin-port.ts';
import type { Running } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase } from '../support/servers/engines.ts';
import { isAlive, lines } from '../support/workers.ts';
import { type Script, scriptOf } from './broken-http.ts';
import { adminOf, harmless, outputBesideLog, type WithoutDatabase, withoutDatabase } from './without-database.ts';

/** The number of connections in each setup. */
const count = 5 * Number(process.env.FUZZ_CASES ?? 150);
const chance = process.env.FUZZ_CASES === undefined ? 7 : Math.floor(Math.random() * 2 ** 31);
const seed = Number(process.env.FUZZ_SEED ?? chance);
const atOnce = 60;
/** Milliseconds that a client waits for its connection to be closed. */
const closeTimeoutMs = 30_000;

/** Breaks off in the middle of a response. The headers are already sent: without them, the gateway would rightly answer 502. */
function breakOff(res: ServerResponse): void {
  res.writeHead(200, { 'Content-Length': 100 }).flushHeaders();
  // A response to HEAD is complete with its headers, and the connection may already carry the next request.
  if (res.req.method === 'HEAD') return void res.end();
  res.write('half');
  setTimeout(() => res.destroy(), 10);
}

/** An upstream that answers in many ways; it never fails before it has started to answer. */
function application(): Server {
  const server = createServer({ maxHeaderSize: 100_000 }, (req, res) => {
    req.on('error', () => undefined);
    if (req.url === '/large') res.end('x'.repeat(300_000));
    else if (req.url === '/slow') setTimeout(() => res.end('slow'), 20);
    else if (req.url === '/breaks') req.resume().on('end', () => breakOff(res));
    else if (req.url === '/upload') req.resume().on('end', () => res.end('all of it'));
    else res.end(`well: ${req.method}`);
  });
  server.on('upgrade', (req, socket) => {
    socket.on('error', () => undefined);
    if (req.url === '/ws')
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    else return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    socket.on('end', () => socket.end()).resume();
  });
  return server.listen(0, '127.0.0.1');
}

/** Plays a script. Returns the answers in Latin-1; a client that waits receives everything until the connection closes. */
function play(url: string, { pieces, leaves }: Script): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    const timer = setTimeout(() => {
      reject(new Error('the connection is never closed'));
      socket.destroy();
    }, closeTimeoutMs);
    let got = '';
    socket.setEncoding('latin1').on('data', (bytes) => {
      got += bytes;
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(got);
    });
    if (leaves === 'deaf') socket.pause();
    const quiet = async () => {
      for (let before = -1; before !== got.length && !socket.destroyed; await sleep(60)) before = got.length;
    };
    const send = async () => {
      for (const [pause, bytes] of pieces) {
        if (pause > 0) await sleep(pause);
        if (!socket.writable) return;
        socket.write(bytes, 'latin1');
      }
      if (leaves === 'half') socket.end();
      // Without `Connection: close`, the connection would stay open for a minute.
      else if (leaves === 'waits') await quiet().then(() => socket.end());
      else if (leaves === 'destroys') socket.destroy();
      else await sleep(pieces.length % 3 === 0 ? 0 : pieces.length % 7).then(() => socket.resetAndDestroy());
    };
    send();
  });
}

/** The status lines of the answers. Bodies cannot contain any, because sent bytes are never echoed. */
const heads = (got: string): readonly string[] => got.match(/HTTP\/1\.1 \d{3} [^\r\n]*/g) ?? [];

describe.each(byName(anyServer()))('on %s', (_, engine) => {
  let gateways: WithoutDatabase;
  let database: ServerDatabase;
  let upstream: Server;
  beforeAll(async () => {
    gateways = withoutDatabase();
    database = await freshDatabase(engine);
    const rows = Array.from({ length: 1000 }, (_, id) => `(${id}, '${'a'.repeat(300)}')`);
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, a text); INSERT INTO t VALUES ${rows.join()}`);
    upstream = application();
    await once(upstream, 'listening');
  });
  afterAll(async () => {
    gateways?.remove();
    upstream?.closeAllConnections();
    upstream?.close();
    await database?.drop();
  });

  const configuration = () => ({
    databases: { db: { client: engine.client, connection: database.url, pool: { max: 4 } } },
    log: { requests: 'none' },
    cache: { maxBytes: '8MB' },
    // Limits that are small enough to be reached.
    limits: { connections: 50, headerBytes: 10_000, bodyBytes: '20kB', incomingBytes: '40kB', unsentBytes: '2MB' },
  });
  const behind = () => ({ url: `http://127.0.0.1:${Object(upstream.address()).port}`, maxRequests: 20 });

  test.each([
    ['alone', () => ({})],
    ['before an application', () => ({ upstream: behind() })],
    ['with two workers', () => ({ server: { port: 0, workers: 2 }, upstream: behind() })],
  ])('random connections end nothing and leave nothing behind, %s', { timeout: 3_600_000 }, async (name, more) => {
    const gateway = await gateways.serve(name.replaceAll(' ', '-'), { ...configuration(), ...more() });
    const measured = async (of: string) => metric((await ask(adminOf(gateway), '/metrics')).text, of) ?? Number.NaN;
    const began = performance.now();
    const statuses = new Map<string, number>();
    const half = Math.floor(count / 2);
    await rush(gateway, 0, half, statuses);
    const before = { memory: await measured('process_resident_memory_bytes'), files: await idleFiles(measured) };
    await rush(gateway, half, count, statuses);
    const after = { files: await idleFiles(measured), memory: await measured('process_resident_memory_bytes') };
    const seconds = (performance.now() - began) / 1000;
    const table = [...statuses].sort().map(([status, times]) => `${status} × ${times}`);
    const closed = await ask(adminOf(gateway), '/metrics');
    console.log(
      `${name}: seed ${seed}, ${count} connections in ${Math.round(seconds)} s: ${table.join(', ')}\n`,
      `files ${before.files} → ${after.files}, memory ${before.memory / 1e6} → ${after.memory / 1e6} MB,`,
      closed.text.match(/gateway_connections_closed_total\S* \d+/g)?.join(', '),
    );
    expect([...statuses.keys()].filter((status) => /^5(?!03)/.test(status))).toEqual([]);
    expect(await (await fetch(gateway.url + harmless)).json()).toMatchObject({ success: true });
    expect(after.files).toBeLessThan(before.files + 10);
    expect(after.memory).toBeLessThan(before.memory + 60e6);
    const ended = await gateway.stop();
    expect(ended.code).toBe(0);
    expect(outputBesideLog(ended.stderr)).toEqual([]);
    expect(ended.stderr).not.toMatch(/"(status":500|stack)"|worker ended/);
  });

  /** Plays several scripts in parallel. */
  async function rush(gateway: Running, from: number, to: number, statuses: Map<string, number>): Promise<void> {
    let next = from;
    const underWay = new Set<number>();
    const one = async () => {
      while (next < to) {
        const nth = next++;
        const script = scriptOf(new Random(seed + nth));
        underWay.add(nth);
        const got = await play(gateway.url, script).catch((error: unknown) => {
          throw new Error(`script ${nth} of seed ${seed}: ${JSON.stringify(script)}`, { cause: error });
        });
        expect(got === '' || got.startsWith('HTTP/1.1 '), `script ${nth}: ${got.slice(0, 200)}`).toBe(true);
        for (const head of heads(got)) {
          const status = head.slice(9, 12);
          if (/^5(?!03)/.test(status)) {
            const why = lines(gateway).findLast((line) => Number(Reflect.get(line, 'status')) >= 500);
            console.log(`script ${nth}: ${JSON.stringify(script)}\n${got.slice(0, 500)}\n${JSON.stringify(why)}`);
          }
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        if (!isAlive(gateway.pid)) throw new Error(`it ended; under way of seed ${seed}: ${[...underWay].join()}`);
        underWay.delete(nth);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }

  /** The number of open files after all clients have disconnected. */
  async function idleFiles(measured: (name: string) => Promise<number>): Promise<number> {
    await expect.poll(() => measured('gateway_connections'), { timeout: 60_000, interval: 200 }).toBe(0);
    expect(await measured('gateway_incoming_bytes')).toBe(0);
    return measured('process_open_fds');
  }
});
