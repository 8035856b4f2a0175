/** Answers that are compared with those of a CKAN, which is played by its recorded answers. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { check } from '../../../src/commands/check.ts';
import { loadSettings } from '../../../src/config/load.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { adminOf, ask, metric } from '../../support/admin-port.ts';
import {
  recordedAnswers,
  recordedId,
  type SearchName,
  searches,
  tableSql,
} from '../../support/ckan/datastore-searches.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { json, type UpstreamCkan, upstreamCkan } from '../../support/upstream-ckan.ts';

const recorded = recordedAnswers();
const theirs = 'b'.repeat(36);
const wide = 'x'.repeat(10_000);

/** The table that the recording has, and others that differ from it. CKAN's types are PostgreSQL's. */
const script = `${tableSql('same', false)};
${tableSql('drifted', false)};
DELETE FROM drifted WHERE no = 1; UPDATE drifted SET name = 'Aare ' WHERE no = 4; UPDATE drifted SET note = NULL WHERE note = '';
ALTER TABLE drifted ALTER area TYPE text, DROP open, ADD extra int;
CREATE TABLE wide (no int PRIMARY KEY, t text); INSERT INTO wide SELECT n, '${wide}' FROM generate_series(1, 200) n;`;

/** Answers searches of the recorded resource as CKAN did. */
const asRecorded: NonNullable<UpstreamCkan['answer']> = ({ action, body }, response, usual) => {
  if (action !== 'datastore_search') return usual();
  const { resource_id, ...params }: JsonObject = JSON.parse(body);
  const name = Object.entries(searches).find(([, one]) => isDeepStrictEqual(one, params))?.[0] ?? '';
  const answer = recorded[name];
  if (resource_id !== recordedId || answer === undefined) return json(response, 404, { success: false, error: {} });
  response.writeHead(answer.status, { 'Content-Type': 'application/json;charset=utf-8' }).end(answer.body);
};

describe.each(byName(servers().filter(({ name }) => name === 'mariadb')))('a copy of a table on %s', (_, engine) => {
  let database: ServerDatabase;
  let ckan: UpstreamCkan;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(tableSql('same', true));
    ckan = await upstreamCkan();
    ckan.answer = asRecorded;
    gateway = await startGateway({
      upstream: { url: ckan.url },
      databases: { db: entry(database) },
      resources: {
        same: {
          ...{ database: 'db', table: 'same', access: { read: 'public' } },
          ...{ columns: { open: { boolean: true } }, shadow: { resource: recordedId, sample: 1 } },
        },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await ckan?.close();
    await database?.drop();
  });

  test.each(Object.keys(searches) as readonly SearchName[])('answers the same: %s', async (name) => {
    const before = gateway.events.length;
    await gateway.call('datastore_search', { ...searches[name], resource_id: 'same' }, null);
    const news = () => gateway.events.slice(before).filter(({ on }) => on.startsWith('shadow'));
    await expect.poll(news).toContainEqual(expect.objectContaining({ on: 'shadowed' }));
    expect(news()).toEqual([{ on: 'shadowed', resource: 'same', result: 'same' }]);
  });
});

describe.each(byName(servers().filter(({ name }) => name === 'postgres')))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let ckan: UpstreamCkan;
  let gateway: TestGateway;
  const shadow = { resource: recordedId, sample: 1 };
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const configuration = () => ({
    admin: { port: 0 },
    upstream: { url: ckan.url, access: { keep: '1ms' } },
    databases: { db: entry(database) },
    resources: {
      same: { database: 'db', table: 'same', access: { read: 'public' }, shadow },
      drifted: { database: 'db', table: 'drifted', access: { read: 'public' }, shadow },
      rare: { database: 'db', table: 'same', access: { read: 'public' }, shadow: { ...shadow, sample: 1e-9 } },
      none: { database: 'db', table: 'same', access: { read: 'public' } },
      closed: { database: 'db', table: 'same', shadow },
      wide: { database: 'db', table: 'wide', access: { read: 'public' }, shadow },
      [theirs]: { database: 'db', table: 'same', access: { read: 'upstream' }, shadow: { sample: 1 } },
    },
    tokens: [
      { name: 'tester', sha256: hash(token), read: ['*'] },
      { name: 'few', sha256: hash('few'), read: ['closed'], where: { closed: { no: 1 } } },
    ],
  });

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(script);
    ckan = await upstreamCkan();
    ckan.resources.add(theirs);
    ckan.allow('their-token', { name: 'editor', read: [theirs] });
    gateway = await startGateway(configuration());
  });
  afterAll(async () => {
    await gateway?.close();
    await ckan?.close();
    await database?.drop();
  });

  let seen = 0;
  beforeEach(() => {
    ckan.answer = asRecorded;
    ckan.questions.splice(0);
    ckan.mostAtOnce = 0;
    seen = gateway.events.length;
  });

  const news = () => gateway.events.slice(seen);
  const results = () => news().flatMap((event) => (event.on === 'shadowed' ? [event.result] : []));
  const differences = () =>
    news().flatMap((event) => (event.on === 'shadow differs' ? [[event.kind, event.columns] as const] : []));
  const asked = () => ckan.questions.filter(({ action }) => action === 'datastore_search');
  /** Waits for this many results since the beginning of the test. */
  const ended = (count: number) => expect.poll(() => results().length).toBe(count);
  const search = (resource: string, params: JsonObject = {}, as: string | null = null) =>
    gateway.call('datastore_search', { ...params, resource_id: resource }, as);
  test.each(Object.keys(searches) as readonly SearchName[])('the same table answers the same: %s', async (name) => {
    await search('same', searches[name]);
    await ended(1);
    expect([results(), differences()]).toEqual([['same'], []]);
    expect(asked()).toMatchObject([{ method: 'POST', url: '/api/3/action/datastore_search', login: '' }]);
  });

  test('the same by GET, and compressed', async () => {
    const url = `${gateway.url}/api/action/datastore_search?resource_id=same&include_next_page=true`;
    await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } }).then((answer) => answer.text());
    await ended(1);
    expect(results()).toEqual(['same']);
  });

  test('a table that has drifted: each kind of difference, by column, and no value', async () => {
    await search('drifted');
    await ended(1);
    expect(results()).toEqual(['different']);
    expect(differences()).toEqual([
      ['fields', ['extra', 'open']],
      ['types', ['area']],
      ['total', []],
      ['records', []],
      ['values', ['name']],
      ['nulls', ['note']],
    ]);
    expect(JSON.stringify(news().filter(({ on }) => on.startsWith('shadow')))).not.toContain('Aare');
  });

  test('a call that only one of the two refuses', async () => {
    await search('drifted', { filters: { nope: 1 } });
    await ended(1);
    // This search is not in the recording.
    await search('same', { sort: 'no', limit: 1 });
    await ended(2);
    ckan.answer = (_, response) => json(response, 200, { success: true, result: {} });
    await search('same', { filters: { nope: 1 } });
    await ended(3);
    expect(results()).toEqual(['same', 'different', 'different']);
    expect(differences().map(([kind]) => kind)).toEqual(['refused by upstream', 'refused by gateway']);
  });

  test('only searches of the sample are compared, and each is one query of the database', async () => {
    for (const resource of ['rare', 'none']) await search(resource);
    await gateway.call('datastore_info', { id: 'same' });
    await search('same', { records_format: 'csv' });
    await search('closed', {}, 'few');
    await search('closed', {}, null);
    await search('same', { sort: 'no' }, token);
    await ended(1);
    expect(asked()).toHaveLength(1);
    const queries = news().filter(
      (event) => event.on === 'queried' && event.resource === 'same' && event.effect === 'read',
    );
    expect(queries).toHaveLength(2);
  });

  test('no token of ours leaves the gateway; the right to read was asked for with the same login', async () => {
    await search('same', {}, token);
    await search('closed', {}, token);
    await ended(2);
    await search('same', { limit: 2 }, 'their-token');
    await ended(3);
    await search(theirs, {}, 'their-token');
    await ended(4);
    expect(asked().map(({ login }) => login)).toEqual(['', '', '', 'their-token']);
    const ids = asked().map(({ body }) => JSON.parse(body).resource_id);
    expect(ids).toEqual([recordedId, recordedId, recordedId, theirs]);
  });

  test('a table that CKAN does not let the caller read is not compared', async () => {
    ckan.answer = (_, response) => json(response, 403, { success: false, error: { __type: 'Authorization Error' } });
    await search('closed', {}, token);
    await ended(1);
    expect([results(), differences()]).toEqual([['denied'], []]);
  });

  test('a hanging CKAN slows no answer, and has two questions at most', async () => {
    const open: (() => void)[] = [];
    ckan.answer = (_, response) => void open.push(() => json(response, 404, { success: false }));
    const started = performance.now();
    for (let nth = 0; nth < 20; nth++) expect((await search('same', { limit: nth })).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(results()).toEqual(Array.from({ length: 18 }, () => 'busy'));
    expect([asked().length, ckan.mostAtOnce]).toEqual([2, 2]);
    for (const answer of open) answer();
    await ended(20);
  });

  test('answers of more than a megabyte are not compared, on either side', async () => {
    expect((await search('wide', { limit: 200 })).text.length).toBeGreaterThan(1_000_000);
    await ended(1);
    expect(asked()).toEqual([]);
    ckan.answer = (_, response) => json(response, 200, { success: true, result: { records: ['x'.repeat(1_000_001)] } });
    await search('same');
    await ended(2);
    expect(results()).toEqual(['large', 'large']);
  });

  test('a CKAN that is away, or that is none, fails no answer', async () => {
    ckan.answer = (_, response) => void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<p>');
    expect((await search('same')).status).toBe(200);
    await ended(1);
    await ckan.stop();
    try {
      expect((await search('same', { limit: 1 })).status).toBe(200);
      await ended(2);
    } finally {
      await ckan.restart();
    }
    expect(results()).toEqual(['failed', 'failed']);
    expect(news().filter(({ on }) => on === 'shadow failed')).toMatchObject([
      { resource: 'same', cause: { message: 'the upstream answered 502, not in JSON' } },
      { resource: 'same', cause: { code: 'ECONNREFUSED' } },
    ]);
  });

  test('metrics count them, and `check` reads the report of the running gateway', async () => {
    await search('same');
    await search('drifted');
    await ended(2);
    const { text } = await ask(adminOf(gateway), '/metrics');
    const count = (labels: Record<string, string>, name = 'gateway_shadow_total') => metric(text, name, labels) ?? 0;
    const same = count({ resource: 'same', result: 'same' });
    expect(same).toBeGreaterThan(0);
    expect(count({ resource: 'drifted', kind: 'nulls' }, 'gateway_shadow_differences_total')).toBeGreaterThan(0);
    const lines = await checked({ port: Number(new URL(adminOf(gateway)).port) });
    const other = count({ resource: 'same', result: 'different' });
    const line = lines.find((one) => one.startsWith(`shadow of same by ${recordedId}: `));
    expect(line).toContain(` ${same + other} searches compared, ${same} same, ${other} different`);
    expect(lines).toContain(
      `shadow of rare by ${recordedId}: 0 searches compared, 0 same, 0 different; 0 not compared`,
    );
    expect(lines.filter((one) => one.startsWith('shadow of none'))).toEqual([]);
    expect(await checked({ port: 1 })).toContain(
      `shadow of same by ${recordedId}: no figures, because no gateway answers at http://127.0.0.1:1/metrics`,
    );
  });

  /** The lines of `check` for this configuration with another admin port. */
  async function checked(admin: JsonObject): Promise<readonly string[]> {
    const loaded = loadSettings('test.yaml', {}, () => JSON.stringify({ ...configuration(), admin }));
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
    const lines: string[] = [];
    const options = { list: false, json: false, advise: false, only: null };
    await check(loaded.settings, loaded.positions, (line) => void lines.push(line), options);
    return lines;
  }
});
