/** Streams of a gateway that runs as separate processes: with several workers, and at shutdown. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, metric } from '../../support/admin-port.ts';
import { type EventStream, subscribe } from '../../support/event-stream.ts';
import { openProgram, type Program } from '../../support/program.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { Connection, connections, fewWorkers, lines, running } from '../../support/workers.ts';

const token = 'test-token';
const sha256 = createHash('sha256').update(token).digest('hex');

describe.each(byName(anyServer()))('on %s', (_, engine) => {
  let program: Program;
  let database: ServerDatabase;
  let folder: string;

  beforeAll(async () => {
    program = openProgram();
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer); INSERT INTO t VALUES (1, 0)');
    folder = mkdtempSync(join(tmpdir(), 'gateway-changes-'));
  });
  afterAll(async () => {
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
    await database?.drop();
  });

  const start = async (workers: number, maxStaleness = 'none') => {
    const path = join(folder, `${workers}-${maxStaleness}.yaml`);
    const configuration = {
      server: { port: 0, workers, drainTimeout: '60s' },
      admin: { port: 0 },
      log: { requests: 'all' },
      cache: { ttl: '1h' },
      databases: { db: { client: database.client, connection: database.url, maxStaleness } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } } },
      tokens: [{ name: 'x', sha256, read: ['*'], write: ['*'] }],
    };
    writeFileSync(path, JSON.stringify(configuration));
    return running(await program.serve(['serve', path]));
  };
  const openAll = (url: string, ids: readonly string[]) =>
    Promise.all(ids.map((id) => subscribe(url, 't', { 'Last-Event-ID': id })));
  const shown = async (admin: string, name: string) => metric((await ask(admin, '/metrics')).text, name);
  const last = ({ changes }: EventStream) => changes.at(-1) ?? { id: '', resource: '', version: 0 };

  test.each(fewWorkers(2))(
    'a write has an event from every process, and a signal ends all streams, with workers: %i',
    async (workers) => {
      const gateway = await start(workers);
      const connection = new Connection(gateway.url);
      const write = async (n: number) =>
        expect(
          (await connection.call('datastore_upsert', { resource_id: 't', records: [{ id: 1, n }] }, token)).status,
        ).toBe(200);
      const streams = await openAll(
        gateway.url,
        Array.from({ length: 8 }, () => ''),
      );
      await Promise.all(streams.map((stream) => stream.until(1)));
      await write(1);
      await Promise.all(streams.map((stream) => stream.until(2)));
      const admin = lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';
      expect(await shown(admin, 'gateway_subscribers')).toBe(8);
      expect(await shown(admin, 'gateway_notices_total')).toBeGreaterThanOrEqual(16);

      for (const stream of streams) stream.close();
      await write(2);
      // After reconnecting, each stream may be served by another worker.
      const again = await openAll(
        gateway.url,
        streams.map((stream) => last(stream).id),
      );
      for (const [i, stream] of again.entries()) {
        const [first] = await stream.until(1);
        const before = streams[i];
        expect(first?.version).toBe(before === undefined ? null : last(before).version + 1);
      }

      connection.close();
      const began = performance.now();
      const ended = gateway.stop();
      expect(await Promise.all(again.map((stream) => stream.ended))).toEqual(again.map(() => true));
      expect((await ended).code).toBe(0);
      // The streams must end at once, not only after drainTimeout.
      expect(performance.now() - began).toBeLessThan(30_000);
      const served = lines(gateway).filter(({ msg, action }) => msg === 'answered' && action === 'datastore_changes');
      expect(served.length).toBe(16);
      expect(new Set(served.map(({ worker }) => worker)).size).toBe(workers);
    },
  );

  test('a client that reads after an event gets what it says, whichever process answers', async () => {
    const gateway = await start(3, '400ms');
    const readers = await connections(gateway, { resource_id: 't' });
    const read = async () => {
      const answers = await Promise.all(readers.map((one) => one.call('datastore_search', { resource_id: 't' })));
      return answers.map(({ text }) => JSON.parse(text).result.records[0].n);
    };
    const stream = await subscribe(gateway.url, 't');
    let isOver = false;
    // These reads keep the proof of freshness recent in every worker.
    const others = (async () => {
      while (!isOver) await Promise.all([read(), sleep(20)]);
    })();
    let shown: readonly unknown[] = [];
    const client = (async () => {
      for (let version = 0; !isOver; await sleep(1)) {
        if (last(stream).version === version) continue;
        version = last(stream).version;
        shown = await read();
      }
    })();
    try {
      for (let n = 101; n <= 106; n++) {
        await database.exec(`UPDATE t SET n = ${n}`);
        await expect.poll(() => shown, { interval: 1 }).toEqual(readers.map(() => n));
      }
    } finally {
      isOver = true;
      await Promise.all([others, client]);
      stream.close();
      for (const one of readers) one.close();
    }
    expect((await gateway.stop()).code).toBe(0);
  });

  test('a resource whose answers may be old for long delays the events of no other', async () => {
    await database.exec('CREATE TABLE slow (id integer PRIMARY KEY)');
    const path = join(folder, 'slow.yaml');
    const { client, url: connection } = database;
    const read = { access: { read: 'public' } };
    // `1h` is longer than this test waits for an event.
    const databases = { db: { client, connection }, slow: { client, connection, maxStaleness: '1h' } };
    const resources = {
      t: { database: 'db', table: 't', ...read },
      slow: { database: 'slow', table: 'slow', ...read },
    };
    writeFileSync(path, JSON.stringify({ server: { port: 0, workers: 2 }, databases, resources }));
    const gateway = running(await program.serve(['serve', path]));
    const slow = await Promise.all([1, 2, 3, 4].map(() => subscribe(gateway.url, 'slow')));
    const streams = await Promise.all([1, 2, 3, 4].map(() => subscribe(gateway.url, 't')));
    await Promise.all(streams.map((stream) => stream.until(1)));
    await database.exec('UPDATE t SET n = 201');
    await Promise.all(streams.map((stream) => stream.until(2)));
    for (const one of [...slow, ...streams]) one.close();
    expect((await gateway.stop()).code).toBe(0);
  });

  test('a request behind a stream closes the connection, because it would wait for ever', async () => {
    const gateway = await start(1);
    const { hostname, port } = new URL(gateway.url);
    const admin = lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';
    const request = 'GET /api/3/action/datastore_changes?resource_id=t HTTP/1.1\r\nHost: x\r\n\r\n';
    const open = (first: string) => {
      const socket = connect(Number(port), hostname);
      const state = { socket, text: '', isClosed: false };
      socket.on('data', (bytes) => {
        state.text += bytes;
      });
      socket
        .on('error', () => undefined)
        .on('close', () => {
          state.isClosed = true;
        });
      socket.write(first);
      return state;
    };
    const atOnce = open(request.repeat(10));
    await expect.poll(() => atOnce.isClosed).toBe(true);
    const later = open(request);
    await expect.poll(() => later.text).toContain('"version":1');
    expect(await shown(admin, 'gateway_subscribers')).toBe(1);
    later.socket.write(request);
    await expect.poll(() => later.isClosed).toBe(true);
    expect(later.text.split('HTTP/1.1 ').length - 1).toBe(1);
    await expect.poll(() => shown(admin, 'gateway_subscribers')).toBe(0);
    // A HEAD request ends, so that the next requests on the connection are answered.
    const head = open(request.replace('GET', 'HEAD').repeat(3));
    await expect.poll(() => head.text.split('HTTP/1.1 200').length - 1).toBe(3);
    head.socket.destroy();
    expect((await gateway.stop()).code).toBe(0);
  });
});
