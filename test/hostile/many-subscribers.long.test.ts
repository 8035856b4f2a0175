/** A thousand clients that each subscribe to as many resources as a stream can have. Every change of the database affects all of them. */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ask, metric } from '../support/admin-port.ts';
import { openProgram, type Probed, type Program } from '../support/program.ts';
import { freshDatabase, type PgliteDatabase } from '../support/servers/engines.ts';
import { Connection, lines } from '../support/workers.ts';

const engine = inject('pglite');
const token = 'test-token';
const [clients, resources] = [1000, 64];
const changes = process.env.FUZZ_CASES === undefined ? 3 : 5;
/** Maximum milliseconds of one event-loop turn, on a machine where the probe's fixed work takes the usual time. */
const [mostHold, usualPace] = [20, 2.5];

describe.runIf(engine !== null)('on PGlite', () => {
  let program: Program;
  let database: PgliteDatabase;
  let folder: string;
  let gateway: Probed;
  const sockets: Socket[] = [];
  let bytes = 0;

  beforeAll(async () => {
    if (engine === null) throw new Error('no PGlite');
    program = openProgram();
    folder = mkdtempSync(join(tmpdir(), 'gateway-subscribers-'));
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer)');
    const table = { database: 'db', table: 't', access: { read: 'public', write: 'token' } };
    const path = join(folder, 'gateway.yaml');
    const configuration = {
      server: { port: 0 },
      admin: { port: 0 },
      limits: { subscribers: 2 * clients },
      databases: { db: { client: 'pglite', directory: database.directory } },
      resources: Object.fromEntries(Array.from({ length: resources }, (_, i) => [`resource-${i}`, table])),
      tokens: [{ name: 'x', sha256: createHash('sha256').update(token).digest('hex'), read: ['*'], write: ['*'] }],
    };
    writeFileSync(path, JSON.stringify(configuration));
    gateway = await program.probe(['serve', path]);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
    await database?.drop();
  });

  test('neither hold the event loop nor fill the memory', { timeout: 120_000 }, async () => {
    const { hostname, port } = new URL(gateway.url);
    const query = Array.from({ length: resources }, (_, i) => `resource_id=resource-${i}`).join('&');
    const admin = lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';
    const shown = async (name: string) => metric((await ask(admin, '/metrics')).text, name) ?? 0;
    const start = await gateway.held();
    for (let i = 0; i < clients; i++) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket.on('error', () => undefined));
      socket.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      socket.write(`GET /api/3/action/datastore_changes?${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    await expect.poll(() => shown('gateway_subscribers'), { timeout: 60_000 }).toBe(clients);
    await expect.poll(() => shown('gateway_notices_total'), { timeout: 60_000 }).toBe(clients * resources);
    await gateway.held();
    const connection = new Connection(gateway.url);
    const holds: number[] = [];
    for (let i = 0; i < changes; i++) {
      await connection.call('datastore_upsert', { resource_id: 'resource-0', records: [{ id: i, n: i }] }, token);
      await expect
        .poll(() => shown('gateway_notices_total'), { timeout: 60_000 })
        .toBeGreaterThanOrEqual(clients * resources * (i + 2));
      holds.push((await gateway.held()).hold);
    }
    connection.close();
    // The shortest of the turns counts, because garbage collection and other load slow some of them down.
    expect(Math.min(...holds)).toBeLessThan(mostHold * Math.max(1, (await gateway.pace()) / usualPace));
    expect((await gateway.held()).rss - start.rss).toBeLessThan(300_000_000);
    // An event takes some hundred bytes.
    expect(bytes / (clients * resources * (changes + 1))).toBeLessThan(300);
    expect(gateway.lives()).toBe(true);
  });
});
