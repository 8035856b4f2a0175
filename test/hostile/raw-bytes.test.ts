import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../support/servers/engines.ts';
import { texts } from './payloads.ts';
import { configuration, furnish, snapshot } from './world.ts';

const cases = Number(process.env.FUZZ_CASES ?? 400);
const chance = process.env.FUZZ_CASES === undefined ? 7 : Math.floor(Math.random() * 2 ** 31);
const seed = Number(process.env.FUZZ_SEED ?? chance);

let database: FreshDatabase;
let gateway: TestGateway;
let before: string;
// Almost none of these bytes become SQL, so one engine is enough.
beforeAll(async () => {
  const [engine] = anyEngine();
  if (engine === undefined) throw new Error('no engine');
  database = await freshDatabase(engine);
  await furnish(database, engine);
  before = await snapshot(database);
  gateway = await startGateway({ ...configuration(database, engine), limits: { bodyBytes: '20kB' } });
});
afterAll(async () => {
  await gateway?.close();
  await database?.drop();
});

const path = fc.constantFrom(
  ...['datastore_search', 'datastore_upsert', 'datastore_records_delete', 'help_show', 'nope'].map(
    (name) => `/api/3/action/${name}`,
  ),
  ...['/', '*', '//h/api', 'http://h/api/3', '/datastore/dump/films', '/api/action/datastore_search?q=', '/%zz'],
);
const some = fc.oneof(
  fc.constantFrom(...texts.filter((text) => text.length < 100)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const header = fc.oneof(
  fc.constantFrom(
    'Content-Length: 0',
    'Content-Length: 40',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    'Connection: close',
  ),
  fc.constantFrom(
    'Content-Encoding: gzip',
    'Content-Type: application/json',
    'Content-Type: multipart/form-data; boundary=x',
  ),
  fc.constantFrom(
    'Content-Type: application/x-www-form-urlencoded',
    'Connection: Upgrade',
    'Upgrade: h2c',
    'Host: other',
  ),
  fc
    .tuple(fc.constantFrom('Origin', 'Authorization', 'X-Request-Id', 'Accept-Encoding', 'If-None-Match', 'X'), some)
    .map(([name, value]) => `${name}: ${value}`),
  some,
);
const body = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    '{"resource_id":"films"}',
    '{"resource_id":"films","filters":{}}',
    '0\r\n\r\n',
    '5\r\n{"a":\r\n',
  ),
  fc.constantFrom(
    '--x\r\nContent-Disposition: form-data; name="q"\r\n\r\na\r\n--x--\r\n',
    'resource_id=films&q=',
    '\x1f\x8b\x08\x00',
  ),
  some,
);
const request = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'CONNECT', 'PRI', 'é'),
    path,
    fc.array(header, { maxLength: 5 }),
    body,
  )
  .map(([method, target, headers, rest]) =>
    [`${method} ${target} HTTP/1.1`, 'Host: h', ...headers, '', rest].join('\r\n'),
  );
/** Requests with a few changed bytes, sent in pieces. */
const sent = fc
  .tuple(
    fc.array(request, { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    fc.nat(),
  )
  .map(([requests, changes, cut]) => {
    const bytes = Buffer.from(requests.join(''), 'utf8');
    for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
    return [bytes.subarray(0, cut % bytes.length), bytes.subarray(cut % bytes.length)];
  });
const noise = fc
  .tuple(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }))
  .map((pieces) => pieces.map((piece) => Buffer.from(piece)));

/** Everything received until the connection closes. The client closes its side after sending. */
function exchange(pieces: readonly Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1', allowHalfOpen: true });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error('it hangs'));
    }, 10_000);
    let got = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      got += chunk;
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(got);
    });
    for (const piece of pieces) socket.write(piece);
    socket.end();
  });
}

test('bytes that are no requests, or nearly ones, get answers and change nothing', { timeout: 600_000 }, async () => {
  console.log(`seed ${seed}`);
  const property = fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: sent }, noise), async (pieces) => {
    const got = await exchange(pieces);
    const heads = got.match(/^HTTP\/1\.1 \d{3} .*$/gm) ?? [];
    expect(got === '' || got.startsWith('HTTP/1.1 ')).toBe(true);
    expect(heads.filter((head) => /^HTTP\/1\.1 5/.test(head))).toEqual([]);
    expect(got).not.toMatch(/zq_|CANARY|node_modules|(Type|Range|Syntax)Error|\.[jt]s:\d/);
  });
  await fc.assert(property, { seed, numRuns: cases });
  expect((await gateway.result('datastore_search', { resource_id: 'films' })).total).toBe(3);
  await gateway.close();
  expect(await snapshot(database)).toBe(before);
});
