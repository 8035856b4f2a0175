/** One request to the upstream, and its answer to the client, by http-proxy. */
import type { Agent, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
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
  /** The body if the gateway has read it; else that of the client's request is streamed. */
  readonly body: Uint8Array | null;
  readonly instead: Instead | null;
}

/**
 * Sends a request to the upstream and streams its answer to the client.
 * @returns null when the client has its answer or has left; else the answer that the gateway replaces
 * @throws any error of the exchange, also one in the middle of the answer
 */
export function exchange(
  { agent, ...address }: UpstreamAddress,
  { path, headers, body, instead }: UpstreamRequest,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<UpstreamAnswer | null> {
  const clientHeaders = req.headers;
  const withTrailers = takesTrailers(clientHeaders);
  const asks = instead?.target ?? null;
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
        return replaced(instead, answer).then(resolve, reject);
      }
      try {
        const head = toClient(answer, String(clientHeaders['x-request-id']), withTrailers);
        res.writeHead(answer.statusCode ?? 0, answer.statusMessage, head);
      } catch (error) {
        // Node reads heads that it refuses to write, such as a control character in the status line.
        res.statusMessage = '';
        return fail(unsendable(error));
      }
      // The head of an event stream must not wait for its first event. `flushHeaders` would encode it as UTF-8, which is wrong.
      if (answer.readableLength === 0 && !answer.complete) res.write('', 'latin1');
      if (withTrailers) forwardTrailers(answer, res);
      answer.pipe(res);
    };
    // One proxy per request: the library's events do not tell which attempt they belong to. `ignorePath`: the library would join
    // and normalize paths, so it gets the whole path as the target's. `selfHandleResponse`: it would go on with an answer whose
    // head is refused here.
    const target = { ...address, pathname: path };
    const proxy = createProxyServer({
      ...{ agent, target, ignorePath: true, selfHandleResponse: true },
      ...(asks === null ? {} : { method: 'GET' }),
    });
    proxy.on('error', fail);
    proxy.on('proxyReq', (outgoing) => {
      if (headers['transfer-encoding'] !== undefined) {
        // For chunks the library sets `Connection: close`, in case the upstream reads them differently. Node writes these anew.
        outgoing.setHeader('Connection', headers.connection ?? 'keep-alive');
        forwardTrailers(req, outgoing);
      }
      outgoing.on('information', ({ statusCode, headers: { link } }) => {
        if (statusCode === 103 && req.httpVersion !== '1.0') hint(res, String(link));
      });
      // Without a listener, Node would drop the connection silently.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        fail(unsendable(new Error('it changed to another protocol unasked')));
      });
    });
    // A tick later, Node has parsed the bytes that came with the head: a body that is not HTTP is still a 502.
    proxy.on('proxyRes', (answer) => process.nextTick(sendAnswer, answer));
    // The library copies all headers of `req` before `web` returns.
    req.headers = headers;
    proxy.web(req, res, body === null ? {} : { buffer: Readable.from([body]) }).then(() => resolve(null), reject);
    req.headers = clientHeaders;
  });
}

const replaces = ({ target }: Instead, { statusCode }: IncomingMessage): boolean =>
  statusCode === 404 || (statusCode === 200 && target !== null);

async function replaced({ mostBytes }: Instead, answer: IncomingMessage): Promise<UpstreamAnswer> {
  if (answer.statusCode === 404) {
    answer.resume();
    return new UpstreamAnswer(404, null);
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    bytes += piece.length;
    // To leave the loop destroys the connection.
    if (bytes > mostBytes) throw tooLong(mostBytes);
    pieces.push(piece);
  }
  return new UpstreamAnswer(200, Buffer.concat(pieces));
}

/** Forwards early hints (RFC 8297). A link that Node refuses to write is dropped: it is only a hint. */
function hint(res: ServerResponse, links: string): void {
  try {
    if (!res.headersSent && !res.destroyed) res.writeEarlyHints({ link: links.split(/,\s*(?=<)/) });
  } catch {}
}

/** Adds the trailers before `pipe` ends the message: the listener of `pipe` must be added later than this one. */
function forwardTrailers(from: IncomingMessage, to: OutgoingMessage): void {
  from.once('end', () => {
    try {
      to.addTrailers(trailersOf(from.rawTrailers));
    } catch (error) {
      // As in heads: Node reads trailers that it refuses to write.
      to.destroy(error instanceof Error ? error : undefined);
    }
  });
}
