/** Random bytes for a connection: valid requests, broken ones, and bytes that are not HTTP at all. */
import { METHODS } from 'node:http';
import type { Random } from '../support/random.ts';

/** The bytes in pieces, and how the client disconnects. */
export interface Script {
  /** Pieces in Latin-1, each with a pause in milliseconds before it; 0 for none. */
  readonly pieces: readonly (readonly [pause: number, bytes: string])[];
  /** `waits` until the server closes; `half` does so too, after closing its own side. The others break the connection off, `deaf` after reading nothing. */
  readonly leaves: 'waits' | 'half' | 'resets' | 'destroys' | 'deaf';
}

export function scriptOf(random: Random): Script {
  let bytes = Array.from({ length: random.from(1, 4) }, () => message(random)).join('');
  if (random.isIn(0.2)) bytes = broken(bytes, random);
  // A final valid request makes the server close connections that are otherwise sound.
  if (random.isIn(0.5)) bytes += request('GET', calls[0], ['Connection: close'], '');
  const pieces: [number, string][] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = random.isIn(0.6) ? bytes.length : random.from(1, Math.min(bytes.length, 3000));
    pieces.push([random.isIn(0.7) ? 0 : random.from(1, 8), bytes.slice(at, at + length)]);
    at += length;
  }
  // Weighted, because after a reset the remaining bytes are not sent.
  const leaves = random.one([
    'waits',
    'waits',
    'waits',
    'half',
    'half',
    'resets',
    'resets',
    'destroys',
    'deaf',
  ] as const);
  const isCut = leaves !== 'waits' && random.isIn(0.4);
  return { pieces: isCut ? pieces.slice(0, random.from(1, pieces.length)) : pieces, leaves };
}

const search = '/api/3/action/datastore_search';
const calls = [
  '/api/3/action/help_show?name=datastore_search',
  `${search}?resource_id=t&limit=2`,
  `${search}?resource_id=t&limit=500`,
  `${search}?resource_id=t&limit=x`,
  search,
  '/api/3/action/datastore_upsert',
  '/datastore/dump/t',
  '/datastore/dump/t?format=json&limit=10',
  '/api/3',
] as const;
/** Paths of the upstream application. `/ws` accepts WebSockets. */
const others = ['/', '/page', '/ws', '/large', '/slow', '/upload', '/breaks', '*', 'http://other/x', '//', '/%zz'];
const bodies = [
  '{}',
  '{"resource_id":"t","limit":3}',
  '{"resource_id":"t","limit":3,"q":"a"}',
  '{"resource_id":"theirs"}',
  '{"resource_id":"t","records":[{"id":1}]}',
  '{"resource_id":',
  'resource_id=t&limit=1',
  '--x\r\nContent-Disposition: form-data; name="q"\r\n\r\na\r\n--x--\r\n',
  '\x1f\x8b\x08\x00',
];
const headers = [
  ...['Connection: keep-alive', 'Accept-Encoding: gzip', 'If-None-Match: *', 'Origin: http://a', 'Cookie: a=b'],
  ...['Content-Type: application/json', 'Content-Type: text/plain', 'Content-Type: multipart/form-data; boundary=x'],
  ...['Cache-Control: no-cache', 'X-Request-Id: mine', 'Authorization: theirs', 'TE: trailers', 'Connection: TE, X-A'],
  ...['X-A: b', 'X-A: \xe9', 'Range: bytes=0-1', 'X-Forwarded-For: x', 'Proxy-Connection: x', 'Upgrade: foo/2'],
];
/** Headers after which the server closes the connection, or refuses before it has read the body. */
const odd = [
  ...['Connection: close', 'Content-Encoding: gzip', 'Content-Encoding: zip', 'Host: other', 'X-A: \x01', 'X-A: \0'],
  ...['Expect: 100-continue', 'Expect: miracles', 'Transfer-Encoding: gzip', 'Content-Length: 5', 'Upgrade'],
];
const wishes = [
  ['Connection: Upgrade', 'Upgrade: websocket'],
  [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version: 13',
  ],
  ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
  ['Connection: keep-alive, upgrade', 'Upgrade: foo'],
  ['Upgrade: websocket'],
];

function message(random: Random): string {
  const some = [...random.some(headers, random.from(0, 3)), ...(random.isIn(0.1) ? [random.one(odd)] : [])];
  const target = random.one(random.isIn(0.6) ? calls : others);
  switch (random.from(0, 19)) {
    case 0:
    case 1:
    case 2:
      return posted(target, some, random.one(bodies), random);
    case 3:
    case 4:
    case 5:
      return request('POST', target, [...some, 'Transfer-Encoding: chunked'], chunks(random));
    case 6:
      return request(random.one([...METHODS, 'BREW', 'get', 'é']), target, some, random.one(['', '{}']));
    case 7:
    case 8:
      return request('GET', random.one(['/ws', '/ws', '/page']), [...some, ...random.one(wishes)], '');
    case 9:
    case 10: {
      const wish = [...some, ...random.one(wishes)];
      return request(random.one(['GET', 'GET', 'POST']), target, wish, random.one(['', '', '\x81\x05hello']));
    }
    case 11:
      return `CONNECT ${random.one(['a:1', '*', '', 'h'])} HTTP/1.1\r\nHost: h\r\n\r\n${random.one(['', 'more'])}`;
    case 12:
      return large(random);
    case 13:
      return posted(target, [...some, 'Expect: 100-continue'], random.one(bodies), random);
    case 14:
      return noise(random);
    default:
      return request('GET', target, some, '');
  }
}

function request(method: string, target: string, some: readonly string[], body: string): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: h', ...some, '', body].join('\r\n');
}

/** A POST whose length is correct, or not. */
function posted(target: string, some: readonly string[], body: string, random: Random): string {
  const lengths = [
    '',
    '-1',
    '+1',
    '0x2',
    '1, 1',
    '1e3',
    '18446744073709551616',
    `${body.length - 1}`,
    `${body.length + 5}`,
  ];
  const length = random.isIn(0.7) ? `${body.length}` : random.one([...lengths, '30000', '999999999999']);
  const many = random.isIn(0.05) ? 'x'.repeat(random.from(1, 30_000)) : '';
  return many === ''
    ? request('POST', target, [...some, `Content-Length: ${length}`], body)
    : request('POST', target, [...some, `Content-Length: ${many.length + random.from(0, 5)}`], many);
}

function chunks(random: Random): string {
  const body = random.isIn(0.1) ? 'x'.repeat(random.from(1, 30_000)) : random.one(bodies);
  let all = '';
  for (let at = 0; at < body.length; ) {
    const chunk = body.slice(at, at + random.from(1, body.length));
    const size = random.isIn(0.03)
      ? random.one(['zz', '-1', 'ffffffffffffffffff', '', '0x1'])
      : chunk.length.toString(16);
    all += `${size}${random.isIn(0.1) ? ';a="b"' : ''}\r\n${chunk}\r\n`;
    at += chunk.length;
  }
  return `${all}0\r\n${random.one(['', '', 'X-T: a\r\n', 'X-T: \x01\r\n', 'Content-Length: 5\r\n', 'broken\r\n'])}\r\n`;
}

/** Headers above the size limit, or just below it. */
function large(random: Random): string {
  const bytes = random.from(7_000, 20_000);
  const many = Array.from({ length: random.from(1, 500) }, (_, nth) => `X-${nth}: a`);
  return random.one([
    request('GET', `/${'a'.repeat(bytes)}`, [], ''),
    request('GET', '/', [`X-A: ${'a'.repeat(bytes)}`], ''),
    request('GET', calls[0], many, ''),
    request('POST', search, ['Transfer-Encoding: chunked'], `1;${'a'.repeat(bytes)}\r\nx\r\n0\r\n\r\n`),
  ]);
}

function noise(random: Random): string {
  const bytes = Array.from({ length: random.from(1, 60) }, () => String.fromCharCode(random.from(0, 255))).join('');
  return random.one([
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'SSH-2.0-OpenSSH_9.2\r\n',
    '\r\n\r\n\r\n',
    'GET / HTTP/0.9\r\n\r\n',
    'GET /\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\n',
    bytes,
  ]);
}

/** Changes, duplicates or removes some bytes. */
function broken(bytes: string, random: Random): string {
  let all = bytes;
  for (let times = random.from(1, 3); times > 0; times--) {
    const at = random.from(0, all.length);
    const [before, after] = [all.slice(0, at), all.slice(at)];
    const other = String.fromCharCode(random.isIn(0.5) ? random.from(0, 255) : random.one([0, 9, 10, 13, 32, 58, 127]));
    all = random.one([
      `${before}${other}${after.slice(1)}`,
      `${before}${other}${after}`,
      before + after.slice(1),
      before,
    ]);
  }
  return all;
}
