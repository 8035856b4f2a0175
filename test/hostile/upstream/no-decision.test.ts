/** Attack: make the gateway take for a yes of CKAN what is none: a login page, another resource, a redirect, half an answer. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyEngine } from '../../support/servers/engines.ts';
import { type Asked, json, type UpstreamCkan, upstreamCkan } from '../../support/upstream-ckan.ts';
import {
  allRows,
  openUpstreamRights,
  type Received,
  refused,
  type UpstreamRights,
  unchecked,
} from '../../support/upstream-rights.ts';

const html = { 'Content-Type': 'text/html' };
const jsonType = { 'Content-Type': 'application/json' };
const ours = { success: true, result: { id: 'budget' } };
const good = JSON.stringify(ours);
const text = (response: ServerResponse, status: number, body: string, headers: object = jsonType) =>
  response.writeHead(status, { ...headers }).end(body);

type Answer = (response: ServerResponse, asked: Asked, other: UpstreamCkan) => unknown;
/** Answers that are no decision, whatever was asked, with the reason in the log. */
const always: readonly (readonly [what: string, answer: Answer, reason: string])[] = [
  ['a login page', (response) => text(response, 200, '<html>Log in', html), 'answered 200, not in JSON'],
  ['a login page that is called JSON', (response) => text(response, 200, '<html>'), 'answered 200, not in JSON'],
  ['success: false', (response) => json(response, 200, { ...ours, success: false }), 'answered 200, not as CKAN does'],
  [
    'success: "true"',
    (response) => json(response, 200, { ...ours, success: 'true' }),
    'answered 200, not as CKAN does',
  ],
  ['a result without success', (response) => json(response, 200, { result: ours.result }), 'not as CKAN does'],
  ['success without a result', (response) => json(response, 200, { success: true }), 'not as CKAN does'],
  ['only the id', (response) => json(response, 200, ours.result), 'not as CKAN does'],
  [
    'a redirect to a yes',
    (response, { url }, other) => response.writeHead(302, { Location: `${other.url}${url}` }).end(),
    'redirects to http://127.0.0.1:',
  ],
  [
    'a redirect with a yes',
    (response, { url }, other) => response.writeHead(307, { ...jsonType, Location: `${other.url}${url}` }).end(good),
    'redirects to http://127.0.0.1:',
  ],
  ['401', (response) => json(response, 401, { success: false }), 'answered 401'],
  ['401 with a yes', (response) => json(response, 401, ours), 'answered 401'],
  ['429', (response) => response.writeHead(429, { 'Retry-After': '9' }).end(), 'answered 429'],
  ['500', (response) => response.writeHead(500).end(), 'answered 500'],
  ['500 with a yes', (response) => json(response, 500, ours), 'answered 500'],
  ['502 of a proxy', (response) => text(response, 502, '<html>', html), 'answered 502'],
  ['nothing with 204', (response) => response.writeHead(204).end(), 'answered 204'],
  [
    'half an answer',
    (response) =>
      response.writeHead(200, { ...jsonType, 'Content-Length': good.length + 9 }).write(good, () => response.destroy()),
    'aborted',
  ],
  ['a closed connection', ({ socket }) => socket?.destroy(), 'socket hang up'],
  ['two megabytes', (response) => text(response, 200, ' '.repeat(2e6) + good), 'is longer than 1000000 bytes'],
  [
    'a member given twice',
    (response) => text(response, 200, `{"success":false,${good.slice(1)}`),
    'answered 200, not in JSON',
  ],
  [
    'a thousand levels',
    (response) => text(response, 200, `${good.slice(0, -1)},"x":${'['.repeat(1000)}${']'.repeat(1000)}}`),
    'answered 200, not in JSON',
  ],
];
/** The same for the right to read: CKAN shows the id. */
const ofRead: typeof always = [
  ['another id', (response) => json(response, 200, { ...ours, result: { id: 'census' } }), 'not as CKAN does'],
  ['the id as a list', (response) => json(response, 200, { ...ours, result: { id: ['budget'] } }), 'not as CKAN does'],
  [
    'the name of the id',
    (response) => json(response, 200, { ...ours, result: { name: 'budget' } }),
    'not as CKAN does',
  ],
];
/** The same for the right to write: a 404 is a yes there, if it is one of CKAN. */
const notFound = { __type: 'Not Found Error' };
const ofWrite: typeof always = [
  ['a missing page of a proxy', (response) => text(response, 404, '<html>', html), 'answered 404, not in JSON'],
  ['an empty 404', (response) => response.writeHead(404).end(), 'answered 404, not in JSON'],
  [
    '404 of another type',
    (response) => json(response, 404, { success: false, error: { __type: 'Search Error' } }),
    'answered 404, not as CKAN does',
  ],
  ['404 with success', (response) => json(response, 404, { success: true, error: notFound }), 'answered 404'],
  ['404 without success', (response) => json(response, 404, { error: notFound }), 'answered 404, not as CKAN does'],
  [
    '400',
    (response) => json(response, 400, { success: false, error: { __type: 'Validation Error' } }),
    'answered 400, not as CKAN does',
  ],
  ['409', (response) => json(response, 409, { success: false, error: notFound }), 'answered 409'],
];

describe.skipIf(anyEngine().length === 0)('a gateway whose CKAN answers', () => {
  let world: UpstreamRights;
  /** Answers yes to everything, but nobody may ask it. */
  let other: UpstreamCkan;
  beforeAll(async () => {
    other = await upstreamCkan();
    other.answer = (_, response) => json(response, 200, ours);
    world = await openUpstreamRights();
  });
  /** May read and write everything. Each test has another one, about whom nothing was decided yet. */
  let login = '';
  let nth = 0;
  beforeEach(() => {
    login = `user${nth++}`;
    const all = ['budget', 'census', 'filtered'];
    world.ckan.allow(login, { read: all, write: all });
  });
  afterEach(() => {
    world.ckan.answer = null;
  });
  afterAll(async () => {
    await world?.close();
    await other?.close();
  });

  /** Everything that shows rows, or names them. */
  const reads: Readonly<Record<string, () => Promise<Received>>> = {
    search: () => world.call('datastore_search', { resource_id: 'budget' }, login),
    info: () => world.call('datastore_info', { id: 'budget' }, login),
    groups: () => world.call('datastore_aggregate', { resource_id: 'budget', by: 'region' }, login),
    download: () => world.send('/datastore/dump/budget', { login }),
    form: () =>
      world.send('/datastore/dump/budget', {
        ...{ method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `token=${login}` },
      }),
    stream: () => world.send('/api/3/action/datastore_changes?resource_id=budget', { login }),
  };
  const record = { id: 99, tenant: 7, name: 'written' };
  const writes: Readonly<Record<string, () => Promise<Received>>> = {
    insert: () => world.call('datastore_upsert', { resource_id: 'budget', method: 'insert', records: [record] }, login),
    update: () =>
      world.call('datastore_upsert', { resource_id: 'budget', method: 'update', records: [{ id: 1, n: 1 }] }, login),
    delete: () => world.call('datastore_records_delete', { resource_id: 'budget', filters: {} }, login),
  };
  const reason = () => {
    const last = world.shared.gateway.events.findLast(({ on }) => on === 'answered');
    return last?.on === 'answered' ? String(last.cause) : '';
  };
  /** Expects a 503 of each call, without rows, because of this. */
  async function expectNoDecision(calls: typeof reads, why: string): Promise<void> {
    for (const [name, call] of Object.entries(calls)) {
      const { status, headers, text } = await call();
      expect([name, status, headers['retry-after']]).toEqual([name, 503, '2']);
      expect(text).toContain('this login cannot be checked now, try again');
      expect(text).not.toMatch(/express|region|north/);
      expect(reason()).toContain(why);
    }
    expect(other.questions).toEqual([]);
  }
  /** Answers the questions for a right in this way, and the others as CKAN does. */
  const answering = (action: 'resource_show' | 'datastore_upsert', answer: Answer) => {
    world.ckan.answer = (asked, response, usual) =>
      asked.action === action ? void answer(response, asked, other) : usual();
  };

  test.each([...always, ...ofRead])('%s shows nothing', async (_, answer, why) => {
    answering('resource_show', answer);
    await expectNoDecision(reads, why);
    await expectNoDecision(writes, why);
    // That is not kept.
    world.ckan.answer = null;
    expect(await world.search(login)).toBe(allRows);
  });

  test.each([...always, ...ofWrite])('%s writes nothing', async (_, answer, why) => {
    const before = await world.shared.stored('line');
    answering('datastore_upsert', answer);
    await expectNoDecision(writes, why);
    expect(await world.shared.stored('line')).toEqual(before);
    expect(await world.search(login)).toBe(allRows);
  });

  test.each<[what: string, answer: Answer]>([
    ['nothing', () => undefined],
    ['a yes without its end', (response) => response.writeHead(200, { ...jsonType, 'Content-Length': 99 }).write(good)],
  ])('%s within the timeout shows and writes nothing', async (_, answer) => {
    await world.reload({ access: { timeout: '100ms' } });
    try {
      answering('resource_show', answer);
      expect(await world.search(login)).toBe(unchecked);
      expect(reason()).toMatch(/timeout|abort/i);
      const before = await world.shared.stored('line');
      answering('datastore_upsert', answer);
      expect((await writes.insert?.())?.status).toBe(503);
      expect(await world.shared.stored('line')).toEqual(before);
    } finally {
      await world.reload();
    }
  });

  test('nothing at all, because it is away, shows and writes nothing', async () => {
    await world.ckan.stop();
    try {
      await expectNoDecision(reads, 'ECONNREFUSED');
      await expectNoDecision(writes, 'ECONNREFUSED');
    } finally {
      await world.ckan.restart();
    }
  });

  test.each<[what: string, answer: Answer | null]>([
    ['a no', null],
    ['a no of a proxy', (response) => text(response, 403, '<html>', html)],
    ['a missing resource', (response) => json(response, 404, { success: false, error: notFound })],
    ['a missing page of a proxy', (response) => text(response, 404, '<html>', html)],
  ])('%s is a 403, and of a download a 404', async (_, answer) => {
    if (answer === null) world.ckan.forbid(login);
    else answering('resource_show', answer);
    expect(await world.search(login)).toMatch(/^403/);
    const download = await world.send('/datastore/dump/budget', { login });
    expect([download.status, download.headers['retry-after']]).toEqual([404, undefined]);
    expect(download.text).toContain('Not found');
    expect((await reads.stream?.())?.status).toBe(403);
  });

  test('a no to write is a 403, and writes nothing', async () => {
    const before = await world.shared.stored('line');
    for (const [login, id] of [
      ['ben', 'budget'],
      ['stranger', 'census'],
      ['', 'census'],
      ['ana', 'deleted'],
    ] as const) {
      const records = { resource_id: id, method: 'insert', records: [record] };
      expect((await world.call('datastore_upsert', records, login)).status).toBe(403);
      expect((await world.call('datastore_records_delete', { resource_id: id, filters: {} }, login)).status).toBe(403);
    }
    expect(await world.shared.stored('line')).toEqual(before);
    expect(await world.search('stranger')).toBe(refused);
  });

  test('a yes shows and writes', async () => {
    for (const call of [reads.search, reads.info, reads.groups, reads.download, reads.form])
      expect((await call?.())?.status).toBe(200);
    for (const call of [writes.insert, writes.update, writes.delete]) expect((await call?.())?.status).toBe(200);
    expect(await world.shared.stored('line')).toEqual([]);
    await world.shared.reset('line');
  });
});
