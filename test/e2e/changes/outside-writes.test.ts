/** Clients are notified of writes by other clients of the database. Other test files write to the same servers, so there may be extra events. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type EventStream, subscribe } from '../../support/event-stream.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { openTap } from '../../support/tap.ts';

/** MySQL 5.6 without a binary log has no commit marker. */
const tested = servers().filter(({ name }) => name !== 'mysql56');

/** Matches the statements that read a commit marker. */
const tokenQuery = /current_snapshot|max_trx_id|INNODB STATUS|gtid_executed|SNAPSHOT/;

describe.each(byName(tested))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let gateway: TestGateway;
  const streams: EventStream[] = [];
  let n = 0;

  const configuration = (maxStaleness: string, ttl: string) => ({
    databases: { db: { client: database.client, connection: database.url, maxStaleness, refresh: 0 } },
    resources: { t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } } },
    cache: { ttl },
  });
  const open = async (headers: Readonly<Record<string, string>> = {}) => {
    const stream = await subscribe(gateway.url, 't', headers);
    streams.push(stream);
    return stream;
  };
  /** Writes directly to the database. */
  const write = () => database.exec(`UPDATE t SET n = ${++n}`);
  const read = async (): Promise<unknown> => {
    const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=t`);
    const { result }: { result: { records: { n: number }[] } } = JSON.parse(await response.text());
    return result.records[0]?.n;
  };
  const proofs = () => gateway.events.filter(({ on }) => on === 'proved').length;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer); INSERT INTO t VALUES (1, 0)');
    gateway = await startGateway(configuration('50ms', '1h'));
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test('after the event of a write past the gateway, a cached answer has it', async () => {
    const stream = await open();
    await stream.until(1);
    for (let i = 0; i < 10; i++) {
      await read();
      await write();
      // There may be extra events, but after one of them the new value must be readable.
      for (let seen = await read(); seen !== n; seen = await read()) await stream.until(stream.changes.length + 1);
    }
  });

  test('a write while the client was away has its event when it is back', async () => {
    const before = await open();
    await before.until(1);
    // The marker may be sampled early, before a commit is visible. Such a commit can count as new for a moment longer.
    await sleep(400);
    const id = before.changes.at(-1)?.id ?? '';
    before.close();
    await write();
    const stream = await open({ 'Last-Event-ID': id });
    await stream.until(1);
    expect(await read()).toBe(n);
  });

  test('databases are asked while there are subscribers, and not afterwards', async () => {
    const proofsBefore = proofs();
    const stream = await open();
    await expect.poll(proofs).toBeGreaterThan(proofsBefore + 3);
    stream.close();
    await expect.poll(() => gateway.events.filter(({ on }) => on === 'answered').at(-1)).toBeDefined();
    await sleep(500);
    const after = proofs();
    await sleep(500);
    expect(proofs()).toBe(after);
  });

  test('while the server does not show its token, but answers calls, a resource counts as changed each ttl', async () => {
    const tap = await openTap(database.url);
    const { databases, ...rest } = configuration('50ms', '300ms');
    const tapped = await startGateway({ ...rest, databases: { db: { ...databases.db, connection: tap.url } } });
    try {
      const stream = await subscribe(tapped.url, 't');
      streams.push(stream);
      await stream.until(1);
      tap.watch((bytes) => (tokenQuery.test(bytes.toString('latin1')) ? { hangUpAndDeliverAfter: null } : 'pass'));
      tap.cut();
      await sleep(1000);
      for (let i = 0; i < 2; i++) {
        const eventsBefore = stream.changes.length;
        await write();
        await stream.until(eventsBefore + 1);
      }
      // Notices may have been missed while the client was away, so a returning client always gets one.
      const again = await subscribe(tapped.url, 't', { 'Last-Event-ID': stream.changes.at(-1)?.id ?? '' });
      streams.push(again);
      await again.until(1);
    } finally {
      await tapped.close();
      tap.close();
    }
  });

  test('without a token a resource counts as changed each ttl, and after each write through the gateway', async () => {
    expect(await gateway.reload(configuration('none', '1h'))).toEqual([]);
    const stream = await open();
    await stream.until(1);
    await gateway.result('datastore_upsert', { resource_id: 't', records: [{ id: 1, n: ++n }] });
    await stream.until(2);
    expect(await gateway.reload(configuration('none', '300ms'))).toEqual([]);
    const short = await open();
    await short.until(3);
    await write();
    for (let seen = await read(); seen !== n; seen = await read()) await short.until(short.changes.length + 1);
    // Writes were not watched while the client was away, so it gets a notice.
    const again = await open({ 'Last-Event-ID': short.changes.at(-1)?.id ?? '' });
    const [first] = await again.until(1);
    expect(first?.version).toBeGreaterThan(short.changes.at(0)?.version ?? 0);
    expect(await gateway.reload(configuration('50ms', '1h'))).toEqual([]);
  });
});
