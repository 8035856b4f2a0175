/** Read replicas: an answer never lacks a write that the client knows of, whatever happens to a replica. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCheck } from '../support/advised.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type Pair, startPair } from '../support/replica-pairs.ts';
import { reading, readsForward, readYourWrites, tables } from '../support/replica-reads.ts';
import { openSession, servers } from '../support/servers/engines.ts';

// A server from a variable may run on another machine, where we cannot start a replica.
const givenUrls = {
  postgres: process.env.TEST_POSTGRES_URL,
  mariadb: process.env.TEST_MARIADB_URL,
  mysql56: process.env.TEST_MYSQL56_URL,
};
const engines = (['postgres', 'mariadb', 'mysql56'] as const).filter(
  (name) => givenUrls[name] === undefined && servers().some((server) => server.name === name),
);

describe.runIf(engines.length > 0).each(engines)('read replicas of %s', (engine) => {
  let pair: Pair;
  let gateway: TestGateway;
  beforeAll(async () => {
    pair = await startPair(engine);
    for (const { create } of tables) for (const sql of create) await pair.primary.exec(sql);
    gateway = await start({});
  }, 120_000);
  afterAll(async () => {
    await gateway?.close();
    await pair?.close();
  });

  const access = { read: 'public', write: 'token' };
  const configuration = (own: Record<string, unknown>, cache: Record<string, unknown> = { ttl: '1h' }) => ({
    databases: {
      db: {
        client: pair.client,
        connection: pair.toPrimary.url,
        replicas: [pair.toReplica.url],
        maxStaleness: '50ms',
        ...own,
      },
    },
    resources: Object.fromEntries(tables.map(({ name }) => [name, { database: 'db', table: name, access }])),
    cache,
  });
  const start = (own: Record<string, unknown>, cache?: Record<string, unknown>) =>
    startGateway(configuration(own, cache));
  let searches = 0;
  const server = (of = gateway) => of.events.findLast((event) => event.on === 'queried')?.server;
  const read = async (of = gateway) => {
    // A different search each time, which the cache cannot answer.
    await of.result('datastore_search', { resource_id: 't1', limit: 100 + (searches++ % 10_000) });
    return server(of);
  };
  const number = (of = gateway) => reading(of).read(1, 0);
  const isUsed = (by: string, of = gateway) => expect.poll(() => read(of), { timeout: 10_000 }).toBe(by);
  const why = (of = gateway) => of.events.findLast((event) => event.on === 'replica lost')?.why;

  test('reads go to the replica; writes, facts about the table and `no-cache` to the primary', async () => {
    await isUsed('replica 1');
    await gateway.result('datastore_upsert', { resource_id: 't1', method: 'update', records: [{ id: 1, n: 7 }] });
    expect(server()).toBe('primary');
    await gateway.result('datastore_upsert', {
      ...{ resource_id: 't1', method: 'update', records: [{ id: 1, n: 8 }], dry_run: true },
    });
    expect(server()).toBe('primary');
    await isUsed('replica 1');
    await gateway.result('datastore_records_delete', { resource_id: 't1', filters: { id: 1 }, dry_run: true });
    expect(server()).toBe('primary');
    await gateway.result('datastore_info', { id: 't1' });
    expect(server()).toBe('primary');
    await isUsed('replica 1');
    await gateway.result('datastore_aggregate', { resource_id: 't1', by: 'n' });
    expect(server()).toBe('replica 1');
    const path = `${gateway.url}/api/3/action/datastore_search?resource_id=t1`;
    await (await fetch(path, { headers: { 'Cache-Control': 'no-cache' } })).text();
    expect(server()).toBe('primary');
    const csv = await (await fetch(`${gateway.url}/datastore/dump/t1`)).text();
    expect(csv.split(/\r?\n/)[1]).toBe('1,1,7');
    expect(server()).toBe('replica 1');
  });

  test('of a resource that is not cached the primary answers searches, and the replica downloads', async () => {
    const separate = await start({}, { ttl: 0 });
    try {
      for (let time = 0; time < 5; time++) expect(await read(separate)).toBe('primary');
      const download = async () => {
        await (await fetch(`${separate.url}/datastore/dump/t1`)).text();
        return server(separate);
      };
      await expect.poll(download, { timeout: 10_000 }).toBe('replica 1');
    } finally {
      await separate.close();
    }
  });

  test('`check` says whether it answers reads, and why not', async () => {
    const replicaEvents = async (replica: string) =>
      (await runCheck(configuration({ replicas: [replica] }), { list: true })).filter((line) =>
        /replica 1:|replicas\[/.test(line),
      );
    expect(await replicaEvents(pair.replicaUrl)).toEqual([
      expect.stringMatching(/^ {2}replica 1: answers reads, at most \d+ ms behind$/),
    ]);
    const no = engine === 'postgres' ? 'it is no standby' : 'it is not read-only (read_only)';
    expect(await replicaEvents(pair.primaryUrl)).toEqual([
      `  replica 1: answers no reads: ${no}`,
      expect.stringMatching(/^warning: databases\.db\.replicas\[0\] .* answers no reads: /),
    ]);
    const away = new URL(pair.replicaUrl);
    away.port = '1';
    expect((await replicaEvents(away.href))[0]).toBe(
      '  replica 1: answers no reads: nothing listens on 127.0.0.1:1 (connection refused)',
    );
  });

  test('a write is in every later answer, with a replica that is 300 ms behind', async () => {
    await pair.delay(300);
    try {
      const separate = await start({ maxStaleness: '1s' });
      try {
        const found = await readYourWrites(reading(separate), 80);
        expect(found.missed).toEqual([]);
        expect(found.by.get('replica 1')).toBeGreaterThan(5);
      } finally {
        await separate.close();
      }
    } finally {
      await pair.delay(0);
    }
  });

  test('no answer is older than the one before, with a replica that is 300 ms behind', async () => {
    await pair.delay(300);
    const separate = await start({ maxStaleness: 0 });
    try {
      const found = await readsForward(reading(separate), pair.primary, 200);
      expect(found.missed).toEqual([]);
      expect(found.by.get('replica 1')).toBeGreaterThan(5);
    } finally {
      await separate.close();
      await pair.delay(0);
    }
  });

  test('an answer that is kept has what others wrote, although the replica did not have it yet', async () => {
    await pair.delay(300);
    const separate = await start({});
    let isOver = false;
    const asking = (async () => {
      for (; !isOver; await sleep(3)) await number(separate);
    })();
    try {
      await isUsed('replica 1', separate);
      for (let n = 100; n < 106; n++) {
        await pair.primary.exec(`UPDATE t1 SET n = ${n} WHERE id = 1`);
        await sleep(60 + 70 * (n % 5));
        expect(await number(separate)).toBe(n);
      }
    } finally {
      isOver = true;
      await asking;
      await separate.close();
      await pair.delay(0);
    }
  });

  test('one that does not respond is left alone within two seconds, and comes back by itself', async () => {
    await isUsed('replica 1');
    pair.toReplica.freeze();
    // Reads keep being answered, and only by the primary once the problem with the replica is detected.
    await expect
      .poll(
        async () => {
          await read();
          return why();
        },
        { timeout: 10_000 },
      )
      .toMatch(/it (does not respond|cannot be asked)/);
    expect(await read()).toBe('primary');
    pair.toReplica.thaw();
    await isUsed('replica 1');
  });

  test('a read that hangs on one is answered by the primary after statementTimeout', async () => {
    const separate = await start({ statementTimeout: '1s' });
    try {
      await isUsed('replica 1', separate);
      pair.toReplica.watch((bytes) => {
        if (/\bt1\b/.test(bytes.toString('latin1'))) pair.toReplica.freeze();
        return 'pass';
      });
      expect(await read(separate)).toBe('primary');
    } finally {
      pair.toReplica.watch(() => 'pass');
      pair.toReplica.thaw();
      await separate.close();
    }
  });

  test('one that cannot be reached is left alone, also at the start, and comes back by itself', async () => {
    pair.toReplica.refuse();
    pair.toReplica.cut();
    const separate = await start({});
    try {
      expect(await read()).toBe('primary');
      expect(await read(separate)).toBe('primary');
      await pair.toReplica.accept();
      await isUsed('replica 1');
      await isUsed('replica 1', separate);
    } finally {
      await separate.close();
    }
  });

  test('one that is killed is left alone, and used again when it is back', async () => {
    await isUsed('replica 1');
    const start = await pair.scope.stop(Number(new URL(pair.replicaUrl).port), 'SIGKILL');
    for (let time = 0; time < 20; time++) expect(await read()).toBe('primary');
    await start();
    await isUsed('replica 1');
  });

  test('one that stops to apply the log is not used, and said to be behind', async () => {
    const [stop, go] =
      engine === 'postgres'
        ? ['SELECT pg_wal_replay_pause()', 'SELECT pg_wal_replay_resume()']
        : ['STOP SLAVE SQL_THREAD', 'START SLAVE SQL_THREAD'];
    await pair.replica.exec(stop);
    try {
      for (let n = 1000; !/behind/.test(why() ?? ''); n++) {
        await reading(gateway).write(1, n);
        expect(await number()).toBe(n);
        expect(n).toBeLessThan(1400);
        await sleep(20);
      }
    } finally {
      await pair.replica.exec(go);
    }
    await isUsed('replica 1');
  });

  test('a table that only the primary has is read there', async () => {
    await pair.primary.exec(
      engine === 'postgres'
        ? 'CREATE UNLOGGED TABLE u (id int PRIMARY KEY); INSERT INTO u VALUES (1)'
        : 'SET sql_log_bin = 0; CREATE TABLE u (id int PRIMARY KEY); INSERT INTO u VALUES (1); SET sql_log_bin = 1',
    );
    const { databases, cache } = configuration({});
    const separate = await startGateway({ databases, cache, resources: { t1: { database: 'db', table: 'u' } } });
    try {
      for (let time = 0; time < 20; time++) {
        const limit = 1 + time;
        expect((await separate.result('datastore_search', { resource_id: 't1', limit })).total).toBe(1);
        expect(server(separate)).toBe('primary');
        await sleep(10);
      }
    } finally {
      await separate.close();
    }
  });

  test('a read that would wait for a lock of the replay is answered by the primary', async () => {
    const separate = await start({ maxStaleness: '1h' });
    const isPostgres = engine === 'postgres';
    const [client, url] = [pair.client, isPostgres ? pair.primaryUrl : pair.replicaUrl];
    const other = await openSession({ client, url });
    try {
      await isUsed('replica 1', separate);
      if (isPostgres) {
        // The replica has applied the lock but not yet the commit.
        await pair.delay(15_000);
        await other.exec('BEGIN; LOCK TABLE t1 IN ACCESS EXCLUSIVE MODE; UPDATE t1 SET n = 5; COMMIT');
      } else {
        // Replication waits for a transaction that has read the table, and new reads queue up behind it.
        await other.exec('BEGIN; SELECT * FROM t1');
        await pair.primary.exec('ALTER TABLE t1 ADD COLUMN more int');
      }
      await sleep(500);
      const began = performance.now();
      expect(await read(separate)).toBe('primary');
      expect(performance.now() - began).toBeLessThan(3000);
      // The next read does not wait either.
      const next = performance.now();
      expect(await read(separate)).toBe('primary');
      expect(performance.now() - next).toBeLessThan(800);
    } finally {
      await other.close();
      if (isPostgres) await pair.delay(0);
      await separate.close();
    }
    await isUsed('replica 1');
  });

  test('a read that is slow on one is not tried again on the primary', async () => {
    const pause = engine === 'postgres' ? '(SELECT 1 FROM pg_sleep(3 + 0 * id))' : 'sleep(3)';
    await pair.primary.exec(`CREATE VIEW sleepy AS SELECT id, ${pause} AS s FROM t1`);
    const { databases, cache } = configuration({ statementTimeout: '1s' });
    const tables = { t1: { database: 'db', table: 't1' }, sleepy: { database: 'db', table: 'sleepy', key: ['id'] } };
    const separate = await startGateway({ databases, cache, resources: tables });
    try {
      await isUsed('replica 1', separate);
      const { status, text } = await separate.call('datastore_search', { resource_id: 'sleepy', include_total: false });
      expect([status, text]).toEqual([409, expect.stringContaining('Search took too long')]);
      expect(server(separate)).toBe('replica 1');
    } finally {
      await separate.close();
    }
  });

  test.runIf(engine !== 'postgres')('one that lets others write is not used', async () => {
    await pair.replica.exec('SET GLOBAL read_only = 0');
    await isUsed('primary');
    await expect.poll(() => why()).toMatch(/not read-only/);
    await pair.replica.exec('SET GLOBAL read_only = 1');
    await isUsed('replica 1');
  });

  test('many reads run on one, and no warning is said', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on('warning', note);
    try {
      await isUsed('replica 1');
      const readThere = () => gateway.events.filter((event) => event.on === 'queried' && event.server === 'replica 1');
      const before = readThere().length;
      await Promise.all(Array.from({ length: 40 }, () => read()));
      // When all connections to the replica are busy, the primary answers.
      expect(readThere().length).toBeGreaterThan(before);
      await sleep(10);
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', note);
    }
  });

  test.runIf(engine === 'postgres')(
    'a read does not wait for a connection of one while its primary has one',
    async () => {
      await pair.primary.exec('CREATE VIEW slow AS SELECT id, (SELECT 1 FROM pg_sleep(1 + 0 * id)) AS s FROM t1');
      const { databases, cache } = configuration({ pool: { max: 1 } });
      const tables = { t1: { database: 'db', table: 't1' }, slow: { database: 'db', table: 'slow', key: ['id'] } };
      const separate = await startGateway({ databases, cache, resources: tables });
      try {
        await isUsed('replica 1', separate);
        const isSent = new Promise<void>((resolve) =>
          pair.toReplica.watch((bytes) => {
            if (/"slow"/.test(bytes.toString('latin1'))) resolve();
            return 'pass';
          }),
        );
        const slow = separate.result('datastore_search', { resource_id: 'slow', include_total: false });
        await isSent;
        expect(await read(separate)).toBe('primary');
        await slow;
        expect(server(separate)).toBe('replica 1');
      } finally {
        await separate.close();
      }
    },
  );

  test('a download from one that is lost ends, and one that has not begun is of the primary', async () => {
    await pair.primary.exec('CREATE TABLE wide (id int PRIMARY KEY, pad text)');
    const rows = Array.from({ length: 20_000 }, (_, n) => `(${n}, repeat('x', 1000))`);
    await pair.primary.exec(`INSERT INTO wide VALUES ${rows.join()}`);
    const { databases, cache } = configuration({});
    const separate = await startGateway({
      databases,
      cache,
      resources: { wide: { database: 'db', table: 'wide', access } },
    });
    const dump = `${separate.url}/datastore/dump/wide`;
    const search = async () => {
      await separate.result('datastore_search', { resource_id: 'wide', limit: 1 + (searches++ % 50) });
      return server(separate);
    };
    try {
      await expect.poll(search, { timeout: 10_000 }).toBe('replica 1');
      const download = await fetch(dump);
      pair.toReplica.cut();
      await expect(download.text()).rejects.toThrow('terminated');
      await expect.poll(search, { timeout: 10_000 }).toBe('replica 1');
      pair.toReplica.watch((bytes) => {
        // This statement reads the rows.
        if (/\bpad\b/.test(bytes.toString('latin1'))) pair.toReplica.cut();
        return 'pass';
      });
      expect((await (await fetch(dump)).text()).length).toBeGreaterThan(20_000_000);
      expect(server(separate)).toBe('primary');
    } finally {
      pair.toReplica.watch(() => 'pass');
      await separate.close();
    }
  });

  test('a download that fails on one before its first piece has the rows of the primary alone', async () => {
    // On PostgreSQL: a record so large that it arrives in pieces, and only some of them come. Elsewhere: all records, but of a type that they do not
    // fit.
    const [first, formats] = engine === 'postgres' ? [2_000_000, ['json', 'xml']] : [0, ['csv', 'tsv', 'json', 'xml']];
    await pair.primary.exec('CREATE TABLE halved (id int PRIMARY KEY, n int, pad_halved text)');
    await pair.primary.exec(`INSERT INTO halved VALUES (0, 0, repeat('x', ${first}))`);
    const rows = Array.from({ length: 2000 }, (_, n) => `(${n + 1}, 0, repeat('x', 100))`);
    await pair.primary.exec(`INSERT INTO halved VALUES ${rows.join()}`);
    const { databases, cache } = configuration({});
    // After a replica fails for a resource, that resource is read from the primary.
    const resources = Object.fromEntries(formats.map((name) => [name, { database: 'db', table: 'halved', access }]));
    const separate = await startGateway({
      databases,
      cache,
      resources: { ...resources, t1: { database: 'db', table: 't1' } },
    });
    const dump = async (format: string, headers = {}) => {
      const answer = await fetch(`${separate.url}/datastore/dump/${format}?format=${format}`, { headers });
      return [answer.status, await answer.text()];
    };
    try {
      await isUsed('replica 1', separate);
      if (engine !== 'postgres')
        await pair.replica.exec(
          "SET sql_log_bin = 0; ALTER TABLE d.halved MODIFY n varchar(9); UPDATE d.halved SET n = '9'",
        );
      for (const format of formats) {
        const whole = await dump(format, { 'Cache-Control': 'no-cache' });
        await isUsed('replica 1', separate);
        let isAsked = false;
        let answered = 0;
        const count = (bytes: Buffer) => {
          if (isAsked) answered += bytes.length;
          if (engine === 'postgres' && answered > 500_000) pair.toReplica.cut();
          return 0;
        };
        pair.toReplica.watch((bytes) => {
          isAsked ||= bytes.toString('latin1').includes('pad_halved');
          return 'pass';
        }, count);
        const found = await dump(format);
        expect(answered, format).toBeGreaterThan(64 * 1024);
        // The texts are compared without `expect`, which would print megabytes of differences.
        expect(found[0]).toBe(200);
        expect(found[1] === whole[1], format).toBe(true);
        expect(server(separate)).toBe('primary');
        pair.toReplica.watch(() => 'pass');
      }
    } finally {
      pair.toReplica.watch(() => 'pass');
      await separate.close();
    }
  });

  test('a primary that does not say its position in time answers itself', async () => {
    await isUsed('replica 1');
    pair.toPrimary.watch((bytes) => {
      return /wal_insert_lsn|gtid_binlog_pos|gtid_owned/.test(bytes.toString('latin1')) ? { holdFor: 2500 } : 'pass';
    });
    try {
      // Older than maxStaleness, the last known position may not be used.
      await sleep(100);
      expect(await read()).toBe('primary');
    } finally {
      pair.toPrimary.watch(() => 'pass');
    }
    await isUsed('replica 1');
  });

  test('one whose address has another database is not used', async () => {
    await pair.primary.exec('CREATE DATABASE other');
    const other = new URL(pair.replicaUrl);
    other.pathname = '/other';
    const copy = await openSession({
      client: pair.client,
      url: Object.assign(new URL(pair.primaryUrl), { pathname: '/other' }).href,
    });
    for (const sql of tables[0]?.create ?? []) await copy.exec(sql);
    await copy.close();
    const separate = await start({ replicas: [other.href] });
    try {
      await expect
        .poll(
          async () => {
            expect(await read(separate)).toBe('primary');
            return why(separate);
          },
          { timeout: 10_000 },
        )
        .toBe('it is a replica of another server, or has another database');
    } finally {
      await separate.close();
    }
  });

  test.runIf(engine !== 'postgres')(
    'a table in memory is read on the primary: it is empty after a restart of a replica',
    async () => {
      await pair.primary.exec('CREATE TABLE memory (id int PRIMARY KEY) ENGINE = MEMORY');
      await pair.primary.exec('CREATE VIEW seen AS SELECT id FROM memory');
      const { databases, cache } = configuration({});
      const resources = {
        memory: { database: 'db', table: 'memory' },
        seen: { database: 'db', table: 'seen', key: ['id'] },
        t1: { database: 'db', table: 't1' },
      };
      const separate = await startGateway({ databases, cache, resources });
      try {
        await isUsed('replica 1', separate);
        for (const resource_id of ['memory', 'seen']) {
          await separate.result('datastore_search', { resource_id });
          expect(server(separate)).toBe('primary');
        }
      } finally {
        await separate.close();
      }
    },
  );

  test.runIf(engine === 'mariadb')('one that leaves out tables is not used', async () => {
    const filter = async (tables: string) => {
      for (const sql of ['STOP SLAVE', `SET GLOBAL replicate_wild_ignore_table = '${tables}'`, 'START SLAVE'])
        await pair.replica.exec(sql);
    };
    await filter('d.t1');
    try {
      await isUsed('primary');
      await expect.poll(() => why()).toMatch(/leaves out tables/);
    } finally {
      await filter('');
    }
    await isUsed('replica 1');
  });

  test('one that has become a primary, or has transactions of its own, is not used, nor what it shows', async () => {
    await pair.primary.exec('UPDATE t1 SET n = 7 WHERE id = 1');
    const separate = await start({});
    try {
      await isUsed('replica 1', separate);
      // The read starts on the replica, but its statement arrives there after the change.
      let isSent = () => {};
      const sent = new Promise<void>((resolve) => {
        isSent = resolve;
      });
      pair.toReplica.watch((bytes) => {
        if (!/\bt1\b/.test(bytes.toString('latin1'))) return 'pass';
        isSent();
        return { holdFor: 3000 };
      });
      const found = number(separate);
      await sent;
      if (engine === 'postgres') await pair.replica.exec('SELECT pg_promote()');
      await pair.replica.exec(`UPDATE ${engine === 'postgres' ? '' : 'd.'}t1 SET n = 999 WHERE id = 1`);
      expect(await found).toBe(7);
      pair.toReplica.watch(() => 'pass');
      expect(await number(separate)).toBe(7);
    } finally {
      await separate.close();
    }
    await expect
      .poll(
        async () => {
          await read();
          return why();
        },
        { timeout: 5000 },
      )
      .toMatch(engine === 'postgres' ? /it is no standby/ : /transactions that its primary does not have/);
    expect(await read()).toBe('primary');
  });
});
