import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { openProgram } from '../../support/program.ts';
import {
  anyServer,
  byName,
  freshDatabase,
  openSession,
  type ServerDatabase,
  servers,
} from '../../support/servers/engines.ts';

/** 42 MB: more than the socket buffers and the gateway's memory hold. */
const rows = 80_000;
const tables = {
  postgres: [
    `CREATE TABLE big AS SELECT g AS n, repeat('x', 500) AS t FROM generate_series(1, ${rows}) g`,
    'ALTER TABLE big ADD PRIMARY KEY (n)',
  ],
  mysql: [
    'CREATE TABLE d (n int PRIMARY KEY) ENGINE=InnoDB',
    'INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    'CREATE TABLE big (n int PRIMARY KEY, t text) ENGINE=InnoDB',
    `INSERT INTO big SELECT 1 + a.n + 10 * b.n + 100 * c.n + 1000 * e.n + 10000 * f.n, REPEAT('x', 500) FROM d a, d b, d c, d e, d f WHERE f.n < 8`,
  ],
};
/** What an application, its migrations and its backups run. These statements wait for the locks of readers. */
const locking = {
  postgres: ["SET lock_timeout = '60s'", 'ALTER TABLE big ADD COLUMN more int', 'SELECT count(*) FROM big'],
  mysql: [
    'SET lock_wait_timeout = 60',
    'ALTER TABLE big ADD COLUMN more int',
    'SELECT count(*) FROM big',
    'LOCK TABLES big WRITE',
    'UNLOCK TABLES',
  ],
};
const statements = {
  postgres: `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
    AND pid <> pg_backend_pid() AND (state <> 'idle' OR backend_xmin IS NOT NULL)`,
  mysql: `SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND command <> 'Sleep'`,
};
const text = (lines: number) =>
  `n,t\n${Array.from({ length: lines }, (_, nth) => `${nth + 1},${'x'.repeat(500)}\n`).join('')}`;

describe.each(byName(servers()))('on %s', (_, engine) => {
  let database: ServerDatabase;
  const gateways: TestGateway[] = [];
  const open = new Set<IncomingMessage>();

  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const sql of tables[engine.client]) await database.exec(sql);
  });
  afterEach(async () => {
    for (const one of open) one.destroy();
    open.clear();
    await Promise.all(gateways.splice(0).map((one) => one.close()));
    await expect.poll(() => running(database), { timeout: 10_000 }).toBe(0);
  });
  afterAll(() => database?.drop());

  async function start(limits: object): Promise<TestGateway> {
    const gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { big: { database: 'db', table: 'big', access: { read: 'public' } } },
      limits: { dumpsPerDatabase: 20, ...limits },
    });
    gateways.push(gateway);
    return gateway;
  }
  async function stand(gateway: TestGateway, query = '', headers = {}): Promise<IncomingMessage> {
    const answer = await begin(`${gateway.url}/datastore/dump/big?fields=n,t${query}`, headers);
    open.add(answer);
    return answer;
  }
  const warnings = ({ events }: TestGateway) => events.flatMap((event) => (event.on === 'warned' ? [event.text] : []));

  test('ten clients that take nothing hold no lock, and each gets all when it goes on', async () => {
    const gateway = await start({});
    const standing = await Promise.all(Array.from({ length: 10 }, () => stand(gateway)));
    const other = await openSession(database);
    try {
      for (const sql of locking[engine.client]) await other.exec(sql);
      await other.exec('ALTER TABLE big DROP COLUMN more');
    } finally {
      await other.close();
    }
    await expect.poll(() => running(database), { timeout: 30_000 }).toBe(0);
    const expectedText = text(rows);
    for (const answer of standing) {
      let got = '';
      for await (const chunk of answer.setEncoding('latin1')) got += chunk;
      expect(got === expectedText).toBe(true);
    }
    expect(warnings(gateway)).toEqual([]);
  });

  test('a table of ten times the spool arrives whole at a client that keeps the least speed, a slower one is cut off', async () => {
    const gateway = await start({ spoolBytes: '4MB', dumpMinSpeed: '1MB' });
    const standing = await stand(gateway);
    const steady = await stand(gateway);
    let got = 0;
    for await (const chunk of steady) {
      got += chunk.length;
      // Reads about 8 MB/s.
      await sleep(chunk.length / 8000);
    }
    expect([steady.complete, got]).toEqual([true, text(rows).length]);
    await expect
      .poll(() => warnings(gateway), { timeout: 20_000 })
      .toEqual([
        'a download of big was cut off: the spool is full (limits.spoolBytes: 4000000), and the client took less than 1000000 bytes per second for 10 s (limits.dumpMinSpeed); a slow client can page with include_next_page instead',
      ]);
    standing.resume();
    await new Promise((resolve) => standing.on('close', resolve));
    expect(standing.complete).toBe(false);
    await expect.poll(() => running(database), { timeout: 5000 }).toBe(0);
  });

  test('without a spool a client that stands is cut off', async () => {
    const gateway = await start({ spoolBytes: 0 });
    await stand(gateway);
    await expect.poll(() => warnings(gateway).length, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => running(database), { timeout: 5000 }).toBe(0);
  });

  test('on a full disk a client that stands is cut off, and one that reads gets all', async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), 'disk-'));
    const before = process.env.TMPDIR;
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      rmSync(disk, { recursive: true });
      return skip('no file system can be mounted');
    }
    try {
      process.env.TMPDIR = disk;
      const gateway = await start({});
      await stand(gateway);
      await expect
        .poll(() => warnings(gateway), { timeout: 30_000 })
        .toEqual([
          expect.stringMatching(
            /^a download of big was cut off: the spool cannot be written \((?:ENOSPC: .*|the disk is full)\), and the client took less/,
          ),
        ]);
      await expect.poll(() => running(database), { timeout: 5000 }).toBe(0);
      let got = 0;
      for await (const chunk of await stand(gateway)) got += chunk.length;
      expect(got).toBe(text(rows).length);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true });
    }
  });

  test('rows that the gateway encodes or compresses are read ahead, too', async () => {
    const gateway = await start({});
    await Promise.all(['&format=xml', '&format=json', '&format=jsonl'].map((query) => stand(gateway, query)));
    await stand(gateway, '', { 'Accept-Encoding': 'gzip' });
    await expect.poll(() => running(database), { timeout: 60_000 }).toBe(0);
    expect(warnings(gateway)).toEqual([]);
  });
});

describe.each(byName(anyServer()))('a process on %s', (_, engine) => {
  test('leaves no file behind when it is killed', async () => {
    const program = openProgram();
    const folder = mkdtempSync(join(tmpdir(), 'spool-'));
    const database = await freshDatabase(engine);
    try {
      for (const sql of tables[engine.client]) await database.exec(sql);
      const file = join(folder, 'gateway.json');
      const configuration = {
        server: { port: 0 },
        databases: { db: entry(database) },
        resources: { big: { database: 'db', table: 'big', access: { read: 'public' } } },
      };
      writeFileSync(file, JSON.stringify(configuration));
      const spool = mkdtempSync(join(folder, 'tmp-'));
      const served = await program.serve(['serve', file], { TMPDIR: spool });
      if ('code' in served) throw new Error(served.stderr);
      const answer = await begin(`${served.url}/datastore/dump/big`);
      const files = () =>
        readdirSync(`/proc/${served.pid}/fd`).flatMap((fd) => {
          try {
            const path = readlinkSync(`/proc/${served.pid}/fd/${fd}`);
            return path.startsWith(spool) ? [path] : [];
          } catch {
            // The file was closed in the meantime.
            return [];
          }
        });
      await expect.poll(() => files().length, { timeout: 20_000 }).toBeGreaterThan(1);
      // A file has a name between open and unlink, so we wait until no new ones are written.
      await expect
        .poll(async () => [await running(database), files().some(isNamed)], { timeout: 20_000 })
        .toEqual([0, false]);
      expect(files().length).toBeGreaterThan(1);
      process.kill(served.pid, 'SIGKILL');
      await new Promise((resolve) => answer.on('close', resolve).resume());
      expect(readdirSync(spool)).toEqual([]);
    } finally {
      program.remove();
      await database.drop();
      rmSync(folder, { recursive: true });
    }
  });
});

/** The number of open statements and transactions in a database. */
const running = async (database: ServerDatabase) => Number((await database.query(statements[database.client]))[0]?.[0]);

const isNamed = (path: string) => !path.endsWith(' (deleted)');

/** Starts a download without reading it. */
function begin(url: string, headers = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (answer) => resolve(answer.on('error', () => undefined)));
    sent.on('error', reject).end();
  });
}
