import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { IncomingRequest } from '../../src/accept/incoming.ts';
import type { GatewayServer } from '../../src/accept/server.ts';
import type { ServerOptions } from '../../src/accept/server-options.ts';
import { dial, serve, text } from '../support/http-server.ts';

/** A second request, which only a parser that ends the first one too early would see. */
const hidden = 'POST /hidden HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n';
const post = (...lines: string[]) => ['POST /x HTTP/1.1', 'Host: h', ...lines, '', ''].join('\r\n');
const chunked = 'Transfer-Encoding: chunked';

const ambiguous: Readonly<Record<string, string>> = {
  'a length and chunks': `${post('Content-Length: 5', chunked)}0\r\n\r\n`,
  'chunks and a length': `${post(chunked, 'Content-Length: 5')}0\r\n\r\n`,
  'two lengths': `${post('Content-Length: 3', 'Content-Length: 4')}abc`,
  'one length twice': `${post('Content-Length: 3', 'Content-Length: 3')}abc`,
  'a list of lengths': `${post('Content-Length: 3, 3')}abc`,
  'a length with a sign': `${post('Content-Length: +3')}abc`,
  'a negative length': `${post('Content-Length: -1')}abc`,
  'a hexadecimal length': `${post('Content-Length: 0x3')}abc`,
  'a length with a blank in it': `${post('Content-Length: 3 0')}abc`,
  'no digits for a length': `${post('Content-Length:')}abc`,
  'a length over 64 bits': `${post('Content-Length: 18446744073709551619')}abc`,
  'a folded header': post('X-A: b', ' c', 'Content-Length: 0'),
  'folded chunks': `${post('Transfer-Encoding:', ' chunked')}0\r\n\r\n`,
  'a blank before the first header': post().replace('Host', ' X: a\r\nHost'),
  'a blank before the colon of a length': `${post('Content-Length : 3')}abc`,
  'a blank before the colon of chunks': `${post('Transfer-Encoding : chunked')}0\r\n\r\n`,
  'lines that end in LF': post('Content-Length: 0').replaceAll('\r', ''),
  'one line that ends in LF': post('X-A: b\nContent-Length: 0'),
  'a CR in a value': `${post('X-A: b\rContent-Length: 3')}abc`,
  'a NUL in a value': post('X-A: b\0c'),
  'a NUL in a name': post('X\0A: b'),
  'a line without a colon': post('Content-Length 3'),
  'a header without a name': post(': 3'),
  'an extension of a chunk over two lines': `${post(chunked)}3;a="\r\nabc\r\n0\r\n\r\n`,
  'an extension of forty kilobytes': `${post(chunked)}3;${'a'.repeat(40_000)}\r\nabc\r\n0\r\n\r\n`,
  'the size of a chunk ended by LF': `${post(chunked)}3\nabc\r\n0\r\n\r\n`,
  'the size of a chunk with 0x': `${post(chunked)}0x3\r\nabc\r\n0\r\n\r\n`,
  'a negative chunk': `${post(chunked)}-1\r\nabc\r\n0\r\n\r\n`,
  'a chunk over 64 bits': `${post(chunked)}10000000000000003\r\nabc\r\n0\r\n\r\n`,
  'a chunk longer than it says': `${post(chunked)}3\r\nabcd\r\n0\r\n\r\n`,
  'a blank behind the size of a chunk': `${post(chunked)}3 \r\nabc\r\n0\r\n\r\n`,
  'a last chunk ended by LF': `${post(chunked)}3\r\nabc\r\n0\n\n`,
  'a length in a trailer': `${post(chunked)}0\r\nContent-Length: 50\r\n\r\n`,
  'no coding': post('Transfer-Encoding: identity'),
  'an unknown coding': post('Transfer-Encoding: xchunked'),
  'a coding behind chunks': `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n`,
  'a coding before chunks': `${post('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
  'chunks twice': `${post(chunked, chunked)}0\r\n\r\n`,
  'chunks, then none': `${post(chunked, 'Transfer-Encoding: identity')}0\r\n\r\n`,
  'chunks behind a control character': `${post('Transfer-Encoding: \x0bchunked')}0\r\n\r\n`,
  'chunks in quotes': `${post('Transfer-Encoding: "chunked"')}0\r\n\r\n`,
  'chunks in HTTP/1.0': `${post(chunked, 'Connection: keep-alive').replace('/1.1', '/1.0')}0\r\n\r\n`,
  'two hosts': post('Host: other', 'Content-Length: 0'),
  'no host': post('Content-Length: 0').replace('Host: h\r\n', ''),
  'no version': 'GET /x\r\n\r\n',
  'a version to come': post('Content-Length: 0').replace('1.1', '1.2'),
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'tabs in the request line': post().replaceAll(' /x ', '\t/x\t'),
  'a blank in the target': post().replace('/x', '/x y'),
  'a NUL in the target': post().replace('/x', '/x\0'),
};

let server: GatewayServer;
let port: number;
/** A server that answers every request from its request cache. */
let knowing: GatewayServer;
let knowingPort: number;
const called: string[] = [];
beforeAll(async () => {
  const answer = async (request: IncomingRequest) => {
    called.push(request.target);
    return text(JSON.stringify((await request.body({ bytes: 10, setting: 'bodyBytes' })).toString()));
  };
  ({ server, port } = await serve(answer));
  const find: ServerOptions['requestCache']['find'] = () => ({
    status: 200,
    head: ['Content-Length', '0'],
    body: null,
  });
  const recall = { find, expects: () => true };
  ({ server: knowing, port: knowingPort } = await serve(answer, {}, { requestCache: recall }));
});
afterAll(() => Promise.all([server.close(0), knowing.close(0)]));
beforeEach(() => void called.splice(0));

/** The answers on a connection that sends these bytes and then closes its side. */
async function sent(bytes: string, to = port): Promise<string> {
  const line = dial(to);
  line.write(bytes);
  line.socket.end();
  return line.closed;
}

test.each(Object.entries(ambiguous))('%s is 400, and nothing behind it is a call', async (_, bytes) => {
  for (const to of [port, knowingPort]) {
    const answer = await sent(bytes + hidden, to);
    expect(answer.match(/HTTP\/1\.\d \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(answer).toMatch(/\r\nConnection: close\r\n.*"Bad request: /s);
    expect(called).not.toContain('/hidden');
  }
});

test('behind a request that ends the connection nothing is called, however many packets it comes in', async () => {
  const more = post('Content-Length: 0', `X: ${'x'.repeat(500)}`).repeat(500);
  for (let nth = 0; nth < 5; nth++) await sent(post('Host: other', 'Content-Length: 0') + more);
  expect(called).toEqual([]);
});

test.each([
  ['extensions of chunks', `${post(chunked)}3;a=b;c="d"\r\nabc\r\n0;e\r\n\r\n`, '"abc"'],
  ['a trailer', `${post(chunked)}3\r\nabc\r\n0\r\nX-A: b\r\n\r\n`, '"abc"'],
  ['a body of GET', `${post('Content-Length: 3').replace('POST', 'GET')}abc`, '"abc"'],
])('%s end where every reader ends them', async (_, bytes, body) => {
  const answer = await sent(bytes + hidden);
  expect(answer.match(/HTTP\/1\.\d \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(answer).toContain(`\r\n\r\n${body}HTTP`);
  expect(called).toEqual(['/x', '/hidden']);
});

test.each([
  ['a body over the limit', `${post('Content-Length: 11')}01234567890`, 413],
  ['chunks over the limit', `${post(chunked)}b\r\n01234567890\r\n0\r\n\r\n`, 413],
  ['a body in an unknown encoding', `${post('Content-Encoding: zip', 'Content-Length: 3')}abc`, 415],
])('behind %s nothing is called', async (_, bytes, status) => {
  const answer = await sent(bytes + hidden);
  expect(answer.match(/HTTP\/1\.\d \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
  expect(called).toEqual(['/x']);
});
