/** Questions to a real server, which may answer anything. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Questions } from '../../../src/forward/questions.ts';
import type { UpstreamQuestion } from '../../../src/model/upstream-question.ts';
import { json, type UpstreamCkan, upstreamCkan } from '../../support/upstream-ckan.ts';

let ckan: UpstreamCkan;
let other: UpstreamCkan;
const open: Questions[] = [];
beforeEach(async () => {
  [ckan, other] = await Promise.all([upstreamCkan(), upstreamCkan()]);
});
afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await Promise.all([ckan.close(), other.close()]);
});

const question: UpstreamQuestion = {
  method: 'GET',
  target: '/api/3/action/resource_show?id=x',
  headers: {},
  body: null,
};
/** Milliseconds for tests in which time plays no role. */
const long = 60_000;
function questions(url = ckan.url, host: string | null = null): Questions {
  const made = new Questions({ url, host, connectTimeout: long, idleTimeout: long });
  open.push(made);
  return made;
}
const ask = (given: Partial<UpstreamQuestion> = {}, timeoutMs = long) =>
  questions().ask({ ...question, ...given }, timeoutMs);
/** Answers all questions. */
const answering = (answer: (response: ServerResponse) => unknown) => {
  ckan.answer = (_, response) => void answer(response);
};
const type = { 'Content-Type': 'application/json' };
const page = (text: string | Buffer, headers: Record<string, string> = type) =>
  answering((response) => response.writeHead(200, headers).end(text));
const bodyOf = async () => (await ask()).body;

test('an answer has its status and the object in its body', async () => {
  answering((response) => json(response, 403, { success: false, error: { n: 'x' } }));
  expect(await ask()).toEqual({ status: 403, location: null, body: { success: false, error: { n: 'x' } } });
});

test('a question has its headers and body, and no others', async () => {
  answering((response) => json(response, 200, {}));
  await ask({ headers: { authorization: 'Bearer T' } });
  await ask({ method: 'POST', body: '{"é":1}' });
  const [get, post] = ckan.questions;
  const usual = {
    ...{ host: new URL(ckan.url).host, accept: 'application/json', 'user-agent': 'datastore-gateway' },
    connection: 'keep-alive',
  };
  expect(get).toMatchObject({ method: 'GET', url: question.target, body: '' });
  expect(get?.headers).toEqual({ ...usual, authorization: 'Bearer T' });
  expect(post).toMatchObject({ method: 'POST', body: '{"é":1}' });
  expect(post?.headers).toEqual({ ...usual, 'content-type': 'application/json', 'content-length': '8' });
});

test.each([
  ['', ''],
  ['/', ''],
  ['/data', '/data'],
  ['/data/', '/data'],
])('the base path %j of the upstream comes first', async (path, base) => {
  answering((response) => json(response, 200, {}));
  await questions(`${ckan.url}${path}`).ask(question, long);
  expect(ckan.questions.map(({ url }) => url)).toEqual([`${base}${question.target}`]);
});

test('the configured Host is sent', async () => {
  answering((response) => json(response, 200, {}));
  await questions(ckan.url, 'ckan.example.org').ask(question, long);
  expect(ckan.questions[0]?.headers.host).toBe('ckan.example.org');
});

test('cookies of an answer are not sent with the next question', async () => {
  answering((response) => response.writeHead(200, { ...type, 'Set-Cookie': 'ckan=1; Path=/' }).end('{}'));
  const all = questions();
  for (let nth = 0; nth < 2; nth++) await all.ask(question, long);
  expect(ckan.questions.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
});

test.each([301, 302, 303, 307, 308])('a redirect (%d) is not followed', async (status) => {
  const location = `${other.url}/api/3/action/resource_show?id=x`;
  answering((response) => response.writeHead(status, { Location: location }).end());
  expect(await ask({ headers: { authorization: 'T' } })).toEqual({ status, location, body: null });
  expect([ckan.questions.length, other.questions.length]).toEqual([1, 0]);
});

const good = '{"success":true}';
const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

test.each<[what: string, text: string | Buffer, headers?: Record<string, string>]>([
  ['HTML', '<html>', { 'Content-Type': 'text/html' }],
  ['JSON that is called HTML', good, { 'Content-Type': 'text/html' }],
  ['JSON without a type', good, {}],
  ['JSON of a similar type', good, { 'Content-Type': 'application/json5' }],
  ['HTML that is called JSON', '<html>'],
  ['nothing', ''],
  ['half of it', good.slice(0, -1)],
  ['something behind it', `${good}}`],
  ['two objects', `${good}${good}`],
  ['a list', `[${good}]`],
  ['a text', '"yes"'],
  ['true', 'true'],
  ['null', 'null'],
  ['a member given twice', '{"success":false,"success":true}'],
  ['a deeper member given twice', '{"success":true,"result":{"id":"x","id":"y"}}'],
  ['64 levels and more', deep(64)],
  ['100,000 levels', deep(100_000)],
  ['a compressed body', gzipSync(good), { ...type, 'Content-Encoding': 'gzip' }],
  ['JSON with comments', `/**/${good}`],
  ['JSONP', `callback(${good})`],
])('%s is no object', async (_, text, headers = type) => {
  page(text, headers);
  expect(await bodyOf()).toBeNull();
});

test.each([
  ['JSON in any case', { 'Content-Type': 'Application/JSON' }],
  ['JSON with a charset', { 'Content-Type': 'application/json;charset=utf-8' }],
])('%s is an object', async (_, headers) => {
  page(good, headers);
  expect(await bodyOf()).toEqual({ success: true });
});

test('some levels are allowed', async () => {
  page(deep(60));
  expect(await bodyOf()).not.toBeNull();
});

test('an answer may have a megabyte and no more', async () => {
  const text = (bytes: number) => `${' '.repeat(bytes - good.length)}${good}`;
  page(text(1_000_000));
  expect(await bodyOf()).toEqual({ success: true });
  page(text(1_000_001));
  await expect(ask()).rejects.toThrow(`the answer to ${question.target} is longer than 1000000 bytes`);
});

test('an answer without end is not read on', async () => {
  const piece = Buffer.alloc(64_000, ' ');
  let sent = 0;
  const isClosed = new Promise<void>((resolve) => {
    answering((response) => {
      const more = () => {
        sent += piece.length;
        if (!response.destroyed) response.write(piece, () => setImmediate(more));
      };
      response.on('close', resolve).writeHead(200, type);
      more();
    });
  });
  await expect(ask()).rejects.toThrow('is longer than');
  await isClosed;
  expect(sent).toBeLessThan(20e6);
});

test.each<[what: string, answer: (response: ServerResponse) => unknown]>([
  ['no answer', () => undefined],
  ['half a head', ({ socket }) => socket?.write('HTTP/1.1 200 OK\r\n')],
  ['half an answer', (response) => response.writeHead(200, { ...type, 'Content-Length': 100 }).write(good)],
  [
    'an answer in drops',
    (response) => {
      const drop = () => response.destroyed || response.write(' ', () => setTimeout(drop, 5));
      response.writeHead(200, type);
      drop();
    },
  ],
])('%s ends with the timeout, which closes the connection', async (_, answer) => {
  const isClosed = new Promise<void>((resolve) => {
    answering((response) => {
      response.on('close', resolve);
      answer(response);
    });
  });
  await expect(ask({}, 200)).rejects.toThrow(/timeout|abort/i);
  await isClosed;
  expect(ckan.questions).toHaveLength(1);
});

/** Ways to lose the connection. */
const lost: readonly (readonly [when: string, lose: (response: ServerResponse) => unknown])[] = [
  ['before the answer', ({ socket }) => socket?.destroy()],
  ['by a reset', ({ socket }) => socket?.resetAndDestroy()],
  [
    'within the answer',
    (response) => response.writeHead(200, { ...type, 'Content-Length': 100 }).write(good, () => response.destroy()),
  ],
];

test.each(lost)('a connection that is lost once, %s, costs a second question', async (_, lose) => {
  answering((response) => (ckan.questions.length === 1 ? lose(response) : response.writeHead(200, type).end(good)));
  expect((await ask()).body).toEqual({ success: true });
  expect(ckan.questions).toHaveLength(2);
});

test.each(lost)('a connection that is lost each time, %s, is no answer, and is asked twice', async (_, lose) => {
  answering(lose);
  await expect(ask()).rejects.toThrow();
  expect(ckan.questions).toHaveLength(2);
});

test('a connection is used again, and its loss costs no answer', async () => {
  const sockets: ServerResponse['socket'][] = [];
  answering((response) => {
    sockets.push(response.socket);
    // The second question comes by the connection of the first, which ends just now.
    if (sockets.length === 2) response.socket?.destroy();
    else response.writeHead(200, type).end(good);
  });
  const all = questions();
  expect((await all.ask(question, long)).body).toEqual({ success: true });
  // The connection is free in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect((await all.ask(question, long)).body).toEqual({ success: true });
  expect(sockets).toHaveLength(3);
  expect(sockets[1] === sockets[0]).toBe(true);
  expect(sockets[2] === sockets[0]).toBe(false);
});

test('a server that is away is an error, and is asked again when it is back', async () => {
  page(good);
  await ckan.stop();
  const all = questions();
  await expect(all.ask(question, long)).rejects.toThrow('ECONNREFUSED');
  await ckan.restart();
  expect((await all.ask(question, long)).body).toEqual({ success: true });
});
