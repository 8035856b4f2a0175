/** Forwards one request to the upstream, and its answer to the client, with the library http-proxy. */
import type { Agent, ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import { type Instead, UpstreamAnswer } from '../model/http.ts';
import { tooLong, unsendable } from './failures.ts';
import { takesTrailers, toClient, trailersOf } from './headers.ts';

export interface UpstreamAddress {
  readonly agent: Agent;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** The request to the upstream. */
export interface UpstreamRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  /** The body, if the gateway has read it; null to stream the client's body. */
  readonly body: Uint8Array | null;
  readonly instead: Instead | null;
}

/**
 * Sends a request to the upstream and streams its answer to the client.
 * @returns null when the client has its answer or has disconnected; else the answer that the gateway is to replace
 * @throws any error while talking to the upstream, even in the middle of the answer
 */
export function exchange(
  { agent, ...address }: UpstreamAddress,
  { path, headers, body, instead }: UpstreamRequest,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<UpstreamAnswer | null> {
  const clientHeaders = req.headers;
  const withTrailers = takesTrailers(clientHeaders);
  const insteadTarget = instead?.target ?? null;
  return new Promise((resolve, reject) => {
    let hasEnded = false;
    const fail = (error: unknown) => {
      hasEnded = true;
      reject(error);
    };
    const sendAnswer = (answer: IncomingMessage) => {
      if (hasEnded || res.destroyed) return;
      if (instead !== null && replaces(instead, answer)) {
        hasEnded = true;
        return readAnswer(instead, answer).then(resolve, reject);
      }
      try {
        const head = toClient(answer, String(clientHeaders['x-request-id']), withTrailers);
        res.writeHead(answer.statusCode ?? 0, answer.statusMessage, head);
      } catch (error) {
        // Node's parser accepts heads that its writer refuses, such as a control character in the status line.
        res.statusMessage = '';
        return fail(unsendable(error));
      }
      streamBody(answer, res, withTrailers);
    };
    // Use one proxy per attempt, because the library's events do not say which attempt they belong to. Set `ignorePath`, because the library
    // would otherwise join and normalize paths, and `selfHandleResponse`, because we may refuse the answer's head.
    const target = { ...address, pathname: path };
    const proxy = createProxyServer({
      ...{ agent, target, ignorePath: true, selfHandleResponse: true },
      ...(insteadTarget === null ? {} : { method: 'GET' }),
    });
    proxy.on('error', fail);
    proxy.on('proxyReq', (outgoing) => {
      if (headers['transfer-encoding'] !== undefined) prepareChunked(outgoing, req, headers.connection);
      if (req.httpVersion !== '1.0') forwardEarlyHints(outgoing, res);
      // Without this listener, Node would silently drop the connection.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        fail(unsendable(new Error('it changed to another protocol unasked')));
      });
    });
    // Wait one tick for Node to parse the bytes that came with the head, so that a body with invalid chunks can still be a 502.
    proxy.on('proxyRes', (answer) => process.nextTick(sendAnswer, answer));
    // The library takes the headers from `req`, so swap them during the call. It has copied them before `web` returns.
    req.headers = headers;
    proxy.web(req, res, body === null ? {} : { buffer: Readable.from([body]) }).then(() => resolve(null), reject);
    req.headers = clientHeaders;
  });
}

/** Lets a chunked body keep its connection and its trailers. */
function prepareChunked(outgoing: ClientRequest, req: IncomingMessage, connection = 'keep-alive'): void {
  // The library sets `Connection: close` for chunked bodies, against request smuggling. We can undo this, because Node writes the
  // chunks itself.
  outgoing.setHeader('Connection', connection);
  forwardTrailers(req, outgoing);
}

/** Streams an answer's body; the head is already written. */
function streamBody(answer: IncomingMessage, res: ServerResponse, withTrailers: boolean): void {
  // Send the head now: the first event of a stream may come late. (`flushHeaders` would encode it as UTF-8, not as latin1.)
  if (answer.readableLength === 0 && !answer.complete) res.write('', 'latin1');
  if (withTrailers) forwardTrailers(answer, res);
  answer.pipe(res);
}

const replaces = ({ target }: Instead, { statusCode }: IncomingMessage): boolean =>
  statusCode === 404 || (statusCode === 200 && target !== null);

async function readAnswer({ mostBytes: maxBytes }: Instead, answer: IncomingMessage): Promise<UpstreamAnswer> {
  if (answer.statusCode === 404) {
    answer.resume();
    return new UpstreamAnswer(404, null);
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    bytes += piece.length;
    // Throwing ends the loop, which destroys the connection.
    if (bytes > maxBytes) throw tooLong(maxBytes);
    pieces.push(piece);
  }
  return new UpstreamAnswer(200, Buffer.concat(pieces));
}

/** Forwards early hints (RFC 8297). If Node refuses to write a link, the hint is dropped: it is optional anyway. */
function forwardEarlyHints(from: ClientRequest, to: ServerResponse): void {
  from.on('information', ({ statusCode, headers: { link } }) => {
    if (statusCode !== 103 || to.headersSent || to.destroyed) return;
    try {
      to.writeEarlyHints({ link: String(link).split(/,\s*(?=<)/) });
    } catch {}
  });
}

/** Forwards trailers at the end of a body. Call it before `pipe`, whose own listener ends the message. */
function forwardTrailers(from: IncomingMessage, to: OutgoingMessage): void {
  from.once('end', () => {
    try {
      to.addTrailers(trailersOf(from.rawTrailers));
    } catch (error) {
      // Node's parser accepts trailers that its writer refuses.
      to.destroy(error instanceof Error ? error : undefined);
    }
  });
}
