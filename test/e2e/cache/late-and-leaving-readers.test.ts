import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClient } from '../../property/coherence/client.ts';
import { startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { anyServer, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

// Nothing here depends on the SQL dialect, so one engine is enough.
const [engine] = anyServer();

describe.skipIf(engine === undefined)('readers that are late, that leave, and that come back', () => {
  let fresh: ServerDatabase;
  let tap: Tap;
  let gateway: TestGateway;
  const configuration = () => ({
    databases: { db: { client: fresh.client, connection: tap.url } },
    resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
    cache: { ttl: '1h', maxBytes: '100kB' },
  });
  beforeAll(async () => {
    if (engine === undefined) return;
    fresh = await freshDatabase(engine);
    const rows = Array.from({ length: 100 }, (_, id) => `(${id}, 0, '${'x'.repeat(400)}')`).join(', ');
    await fresh.exec(`CREATE TABLE t (id int PRIMARY KEY, n int, pad varchar(400)); INSERT INTO t VALUES ${rows}`);
    tap = await openTap(fresh.url);
    gateway = await startGateway(configuration());
  });
  afterAll(async () => {
    await gateway?.close();
    tap?.close();
    await fresh?.drop();
  });

  const url = (more = '') =>
    `${gateway.url}/api/3/action/datastore_search?resource_id=t&fields=n&limit=1&sort=id${more}`;
  const ask = async (more = '', init: { headers?: Record<string, string>; signal?: AbortSignal } = {}) => {
    const answer = await fetch(url(more), { ...init, headers: { Authorization: token, ...init.headers } });
    const text = await answer.text();
    const n = answer.status === 304 ? null : Number(/"records":\s*\[\{"n":\s*(-?\d+)/.exec(text)?.[1]);
    return { status: answer.status, n, verdict: answer.headers.get('x-cache'), etag: answer.headers.get('etag') ?? '' };
  };
  const write = (n: number) => gateway.result('datastore_upsert', { resource_id: 't', records: [{ id: 0, n }] });
  const isPage = (bytes: Buffer) => /LIMIT|limit/.test(bytes.toString('latin1'));

  /** From now on delays the answers to searches. Resolves when the first search has been sent; `searches` counts them. */
  function holdSearches(milliseconds: number) {
    let [searches, pending] = [0, false];
    const asked = new Promise<void>((resolve) => {
      tap.watch(
        (bytes) => {
          if (isPage(bytes)) {
            searches++;
            pending = true;
            resolve();
          }
          return 'pass';
        },
        () => {
          const isHeld = pending;
          pending = false;
          return isHeld ? milliseconds : 0;
        },
      );
    });
    return { asked, searches: () => searches };
  }

  test('a slow read that began before a write leaves no entry for later calls', async () => {
    await write(1);
    const delayed = holdSearches(400);
    const slow = ask();
    await delayed.asked;
    await sleep(50);
    tap.watch(() => 'pass');
    await write(2);
    expect(await ask()).toMatchObject({ n: 2, verdict: 'MISS' });
    expect(await slow).toMatchObject({ n: 1, verdict: 'MISS' });
    expect(await ask()).toMatchObject({ n: 2, verdict: 'HIT' });
  });

  test('the first of several equal calls may leave: the others get the answer of its one query', async () => {
    const leaves = new AbortController();
    await write(3);
    const delayed = holdSearches(300);
    const first = ask('', { signal: leaves.signal });
    await delayed.asked;
    const others = [ask(), ask()];
    await sleep(50);
    leaves.abort();
    await expect(first).rejects.toThrow('aborted');
    for (const other of await Promise.all(others)) expect(other).toMatchObject({ status: 200, n: 3 });
    expect(delayed.searches()).toBe(1);
    tap.watch(() => 'pass');
    expect(await ask()).toMatchObject({ n: 3, verdict: 'HIT' });
  });

  test('an answer that is too large to keep is given every time, and pushes nothing out', async () => {
    await ask();
    for (let nth = 0; nth < 3; nth++) {
      const answer = await gateway.call('datastore_search', { resource_id: 't' });
      expect([answer.status, answer.headers.get('x-cache')]).toEqual([200, 'MISS']);
      expect(answer.text.length).toBeGreaterThan(40_000);
    }
    expect((await ask()).verdict).toBe('HIT');
  });

  test('where little fits, the least recently used entry is evicted, and is right when it comes again', async () => {
    for (let nth = 0; nth < 200; nth++) {
      await ask(`&offset=${nth % 100}`);
      await ask();
    }
    expect((await ask()).verdict).toBe('HIT');
    expect((await ask('&offset=0')).verdict).toBe('MISS');
    await write(4);
    expect(await ask('&offset=0')).toMatchObject({ n: 4 });
    expect(await ask()).toMatchObject({ n: 4 });
  });

  test('an ETag of before a restart is good for the bytes it was given for, and for no others', async () => {
    await write(5);
    const { etag } = await ask();
    const restart = async () => {
      await gateway.close();
      gateway = await startGateway(configuration());
    };
    // Not with fetch: it would add `Cache-Control: no-cache` to a conditional request.
    const client = openClient(1);
    const revalidate = () => {
      const { origin, pathname, search } = new URL(url());
      const headers = { 'If-None-Match': etag };
      return client.ask(origin, { method: 'GET', target: `${pathname}${search}`, body: '', headers });
    };
    await fresh.exec('UPDATE t SET n = 6 WHERE id = 0');
    await restart();
    for (const verdict of ['MISS', 'HIT'])
      expect(await revalidate()).toMatchObject({ status: 200, body: expect.stringContaining('"n":6'), verdict });
    await fresh.exec('UPDATE t SET n = 5 WHERE id = 0');
    await restart();
    for (const verdict of ['MISS', 'HIT']) expect(await revalidate()).toMatchObject({ status: 304, verdict });
    client.close();
  });
});
