import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

/** Without PGlite, whose tables only the gateway can change. */
const servers = engines().filter((engine) => engine.client !== 'pglite');

describe.each(servers.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  const configuration = (refresh: string, resources: Record<string, unknown>) => ({
    databases: { db: { client: engine.client, connection: database.url, refresh } },
    resources,
  });
  const t = { database: 'db', table: 't', access: { read: 'public' } };
  const fields = async (resource_id: string) => {
    const answer = await gateway.call('datastore_search', { resource_id, limit: 0 });
    return answer.status === 200
      ? JSON.parse(answer.text).result.fields.map((field: { id: string }) => field.id)
      : answer.status;
  };

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY, secret int)');
    gateway = await startGateway(configuration('200ms', { t }));
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test('an added column is seen within refresh, without a call that names it', async () => {
    await database.exec('ALTER TABLE t ADD later int');
    await expect.poll(() => fields('t'), { timeout: 10_000 }).toEqual(['_id', 'id', 'later']);
  });

  test('a reload serves what was added, hides what it hides, and keeps the old configuration when the new one is wrong', async () => {
    const u = { ...t, table: 'u' };
    expect(await gateway.reload(configuration('1h', { t, u }))).toEqual([]);
    expect(await fields('u')).toEqual(['_id', 'id', 'secret']);
    expect(
      await gateway.reload(configuration('1h', { t, u: { ...u, columns: { secret: { hidden: true } } } })),
    ).toEqual([]);
    expect(await fields('u')).toEqual(['_id', 'id']);
    const complaints = await gateway.reload(configuration('1h', { t, u: { ...u, table: 'nowhere' } }));
    expect(complaints).toHaveLength(1);
    expect(await fields('u')).toEqual(['_id', 'id']);
    await database.exec('ALTER TABLE t ADD last int');
    expect(await gateway.reload(configuration('1h', { t }))).toEqual([]);
    expect([await fields('t'), await fields('u')]).toEqual([expect.arrayContaining(['_id', 'id', 'last']), 404]);
  });

  test('a reload that makes more visible than before says what', async () => {
    const sha256 = 'ab'.repeat(32);
    const token = (read: readonly string[]) => ({ tokens: [{ name: 'etl', sha256, read }] });
    const isHidden = { columns: { secret: { hidden: true } } };
    const [open, closed] = [{ read: 'public' }, { read: 'token' }];
    const u = { database: 'db', table: 'u' };
    const said = async (resources: Record<string, unknown>, tokens: object = token([])) => {
      const { length } = gateway.events;
      expect(await gateway.reload({ ...configuration('1h', resources), ...tokens })).toEqual([]);
      const more = gateway.events.slice(length).flatMap((event) => (event.on === 'more visible' ? [event.text] : []));
      return more.map((text) => text.replace(/ \(\S+:\d+:\d+\)/, ''));
    };
    await said({ t });
    expect(await said({ t, u: { ...u, ...isHidden, access: closed } })).toEqual([
      'resources.u is new: holders of a token may read it',
    ]);
    expect(await said({ t, u: { ...u, access: closed } })).toEqual(['resources.u now shows secret']);
    expect(await said({ t, u: { ...u, ...isHidden, access: closed } })).toEqual([]);
    expect(await said({ t, u: { ...u, ...isHidden, access: { ...open, write: 'token' } } })).toEqual([
      'resources.u may now be read by everybody',
      'resources.u may now be written with a token',
    ]);
    const listed = { ...u, expose: 'listed', columns: { id: {} } };
    expect(await said({ t, u: { ...listed, access: open } })).toEqual([]);
    expect(await said({ t, u: { ...listed, expose: 'all', access: open } })).toEqual(['resources.u now shows secret']);
    expect(await said({ t, u: { ...t, aliases: ['v'] } })).toEqual([
      expect.stringMatching(/^resources\.u now shows another table, with id/),
    ]);
    expect(await said({ t }, token(['t']))).toEqual(['tokens[0] may now read t']);
    expect(await said({ t }, token(['*']))).toEqual(['tokens[0] may now read all resources']);
    expect(await said({ t }, token([]))).toEqual([]);
    const narrow = { ...u, access: closed, where: { id: 1 } };
    const filtered = (more: object) => ({ tokens: [{ name: 'etl', sha256, read: ['u'], ...more }] });
    await said({ t, u: narrow }, filtered({ where: { u: { id: 1 } }, claims: { n: 1 } }));
    expect(await said({ t, u: narrow }, filtered({ where: { u: { id: 1 } }, claims: { n: 1 } }))).toEqual([]);
    expect(await said({ t, u: { ...narrow, where: { id: 2 } } }, filtered({ claims: { n: 2 } }))).toEqual([
      'resources.u now has other rows',
      'tokens[0] may now see other rows of u',
      'tokens[0] has other claims, so it may see other rows',
    ]);
    expect(await said({ t, u: { ...u, access: closed } }, filtered({ claims: { n: 2 } }))).toEqual([
      'resources.u now has all rows of its table',
    ]);
    expect(await said({ t: { ...t, title: 'Other', columns: { later: { hidden: true } } } })).toEqual([]);
    expect(await said({ t, a: t, b: t })).toEqual([
      'resources.t now shows later',
      'resources.* of a, b is new: everybody may read it',
    ]);
    expect(await gateway.reload(configuration('1h', { t }))).toEqual([]);
  });

  test('calls that run while the configuration is reloaded are answered', async () => {
    const calls = Array.from({ length: 40 }, () => gateway.call('datastore_search', { resource_id: 't' }));
    // Another `refresh` means another pool; the old one is closed after its last call.
    expect(await gateway.reload(configuration('2h', { t }))).toEqual([]);
    expect(new Set((await Promise.all(calls)).map((answer) => answer.status))).toEqual(new Set([200]));
  });

  /** Sends a search whose body arrives in two parts. `between` runs while the gateway waits for the second part. */
  const inTwoParts = (body: string, between: () => Promise<unknown>): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const path = '/api/3/action/datastore_search';
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
      const sent = request(gateway.url + path, { method: 'POST', headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      sent.on('error', reject);
      // A request is bound to the configuration that was active when its headers arrived.
      sent.write(body.slice(0, 5), () => setTimeout(() => between().then(() => sent.end(body.slice(5)), reject), 50));
    });

  test('a call that is tried again after a reload finds the resource that its name means now', async () => {
    const [u, named] = [{ ...t, table: 'u' }, { aliases: ['name'] }];
    expect(await gateway.reload(configuration('1h', { t: { ...t, ...named }, u }))).toEqual([]);
    const body = JSON.stringify({ resource_id: 'name', fields: ['secret'], limit: 0 });
    const moved = await inTwoParts(body, () => gateway.reload(configuration('1h', { t, u: { ...u, ...named } })));
    expect([moved.status, JSON.parse(moved.text).result?.resource_id]).toEqual([200, 'u']);
    const unknown = JSON.stringify({ resource_id: 'name', filters: { nothing: 1 } });
    const removed = await inTwoParts(unknown, () => gateway.reload(configuration('1h', { t, u })));
    expect([removed.status, JSON.parse(removed.text).error.message]).toEqual([
      404,
      'Not found: Resource "name" was not found.',
    ]);
  });
});
