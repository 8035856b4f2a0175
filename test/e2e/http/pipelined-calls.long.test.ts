/** Pipelined calls: sent without waiting for the responses to the earlier ones. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

let database: FreshDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  const [engine] = anyEngine();
  if (engine === undefined) throw new Error('no engine in this run');
  database = await freshDatabase(engine);
  await database.exec('CREATE TABLE t (id int PRIMARY KEY, a int)');
  await database.exec('INSERT INTO t VALUES (1, 10), (2, 20)');
  gateway = await startGateway({
    databases: { db: entry(database) },
    resources: { t: { database: 'db', table: 't', access: { read: 'public' }, cache: { ttl: '60s' } } },
  });
});
afterAll(async () => {
  await gateway?.close();
  await database?.drop();
});

const calls = {
  hit: () => 'GET /api/action/datastore_search?resource_id=t&limit=1 HTTP/1.1\r\nHost: h\r\n\r\n',
  refusal: (nth: number) => `GET /api/action/datastore_search?resource_id=none${nth} HTTP/1.1\r\nHost: h\r\n\r\n`,
  body: (nth: number) => {
    const body = `{"resource_id":"t","filters":{"a":${nth}}}`;
    return `POST /api/action/datastore_search HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  },
};

interface Got {
  readonly text: string;
  /** How many responses had started when a call on another connection was answered. */
  readonly before: number;
}

const answersIn = (text: string): number => text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0;

/** Sends all requests at once, and another one on a separate connection after the first response. */
function pipeline(texts: readonly string[]): Promise<Got> {
  return new Promise((resolve) => {
    const socket = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1' });
    let text = '';
    let before = -1;
    let otherCall: Promise<unknown> | null = null;
    const end = () => (otherCall ?? Promise.resolve()).then(() => resolve({ text, before }));
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      otherCall ??= fetch(`${gateway.url}/api/action/status_show`).then(() => {
        before = answersIn(text);
      });
      if (answersIn(text) === texts.length) socket.end();
    });
    socket.on('error', () => undefined).on('close', end);
    socket.write(texts.join(''));
  });
}
const many = (count: number, call: (nth: number) => string) => Array.from({ length: count }, (_, nth) => call(nth));

test.each([
  ['kept answers', calls.hit, 200],
  ['refusals', calls.refusal, 404],
  ['calls with a body', calls.body, 200],
])('900 %s come in order, and a call beside them does not wait for all of them', async (_, call, status) => {
  const { text, before } = await pipeline(many(900, call));
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(Array(900).fill(`HTTP/1.1 ${status}`));
  if (call === calls.refusal)
    expect([...text.matchAll(/Resource \\?"none(\d+)/g)].map(([, nth]) => Number(nth))).toEqual([...Array(900).keys()]);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(900);
});

test('a connection on which more than a thousand wait is closed', async () => {
  const { text } = await pipeline(many(5000, calls.refusal));
  expect(answersIn(text)).toBeLessThan(1100);
  expect((await fetch(`${gateway.url}/api/action/status_show`)).status).toBe(200);
});

test('calls that wait on closed connections make room for others', async () => {
  const abandonedPipeline = () =>
    new Promise((resolve) => {
      const socket = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1' });
      socket.on('error', () => undefined).on('close', resolve);
      socket.write(many(900, calls.body).join(''), () => socket.resetAndDestroy());
    });
  for (let round = 0; round < 4; round++) await Promise.all(many(10, String).map(abandonedPipeline));
  expect(answersIn((await pipeline(many(900, calls.hit))).text)).toBe(900);
});
