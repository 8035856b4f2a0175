/** One request to the upstream, and its answer to the client. */
import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { unsendable } from './failures.ts';
import { toClient, trailersOf } from './headers.ts';

export interface UpstreamAddress {
  readonly agent: Agent;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** The request to the upstream. */
export interface UpstreamRequest {
  readonly path: string;
  /** Names and values in turn, including the framing of the body. */
  readonly headers: readonly string[];
  readonly body: Body;
  /** Whether the client accepts trailers. */
  readonly takesTrailers: boolean;
}

/** `streamed`: with this length, or chunked where the length is unknown. */
export type Body =
  | { readonly is: 'none' }
  | { readonly is: 'read'; readonly bytes: Uint8Array }
  | { readonly is: 'streamed'; readonly length: string | null };

/**
 * Sends a request to the upstream and streams its answer to the client.
 * @param done called once: with null when the client has its answer or has left, else with the error before any answer. It is
 * no promise: promises on this path took a tenth of the whole.
 */
export function exchange(
  place: UpstreamAddress,
  req: IncomingMessage,
  res: ServerResponse,
  asked: UpstreamRequest,
  done: (error: unknown) => void,
): void {
  const { path, headers, body, takesTrailers } = asked;
  const { agent, protocol, hostname, port } = place;
  let asking: ClientRequest;
  try {
    asking = request({ agent, protocol, hostname, port, method: req.method, path, headers });
  } catch (error) {
    done(error);
    return;
  }
  let isOver = false;
  const end = (error: unknown) => {
    if (isOver) return;
    isOver = true;
    done(error);
  };
  res.on('close', () => {
    // A client that has the whole answer has not left. Over TLS the answer may be complete before Node has seen that all of the
    // request was sent. The connection is released as soon as it has.
    if (!res.writableFinished || !asking.writableEnded) asking.destroy();
    end(null);
  });
  asking.on('error', end);
  asking.on('information', ({ statusCode, headers: { link } }) => {
    if (statusCode === 103 && req.httpVersion !== '1.0') hint(res, String(link));
  });
  // Without a listener, Node would drop the connection silently.
  asking.on('upgrade', (_, socket) => {
    socket.destroy();
    end(unsendable(new Error('it changed to another protocol unasked')));
  });
  const sendOn = (answer: IncomingMessage) => {
    if (isOver || res.destroyed) return;
    const isWhole = answer.complete && !takesTrailers;
    const whole: Buffer | null = isWhole ? answer.read() : null;
    try {
      const id = String(req.headers['x-request-id']);
      const head = toClient(answer, id, takesTrailers, whole?.length ?? null);
      res.writeHead(answer.statusCode ?? 0, answer.statusMessage, head);
    } catch (error) {
      // Node reads heads that it would not write, such as a control character in the status line.
      answer.destroy();
      res.statusMessage = '';
      end(unsendable(error));
      return;
    }
    if (isWhole) {
      res.end(whole);
      return;
    }
    answer.on('close', () => {
      if (!answer.complete) res.destroy();
    });
    // A head must be sent before its body arrives: an event stream may stay silent for long. `flushHeaders` would encode it as
    // UTF-8, which is wrong.
    if (answer.readableLength === 0 && !answer.complete) res.write('', 'latin1');
    pump(answer, res, answer.headers['content-length'], takesTrailers);
  };
  // A tick later, bytes that came with the head have been read as well. Mostly that is the whole body, which then needs no
  // listeners.
  asking.on('response', (answer) => process.nextTick(sendOn, answer));
  if (body.is === 'streamed') pump(req, asking, body.length, true);
  else if (body.is === 'read') asking.end(body.bytes);
  else asking.end();
}

/** Passes on early hints (RFC 8297). A link that Node would not write is dropped: it is only a hint. */
function hint(res: ServerResponse, links: string): void {
  try {
    if (!res.headersSent && !res.destroyed) res.writeEarlyHints({ link: links.split(/,\s*(?=<)/) });
  } catch {}
}

/**
 * Like `pipe`, for one permanent reader: the rest of `pipe` costs a fifth of a whole exchange. Bytes for a destroyed target are
 * dropped.
 * @param length of the body in bytes, if known: then the last bytes and the end are one write
 */
function pump(
  from: IncomingMessage,
  to: OutgoingMessage,
  length: string | null | undefined,
  takesTrailers: boolean,
): void {
  let left = Number(length ?? Number.NaN);
  from.on('data', (chunk: Buffer) => {
    if (to.destroyed) return;
    left -= chunk.length;
    if (left === 0) to.end(chunk);
    else if (!to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  });
  from.on('end', () => {
    try {
      if (takesTrailers && from.rawTrailers.length > 0) to.addTrailers(trailersOf(from.rawTrailers));
      to.end();
    } catch (error) {
      // As in heads: Node reads trailers that it would not write.
      to.destroy(error instanceof Error ? error : undefined);
    }
  });
}

/** The framing of a body, as names and values. Without it Node would send chunks, even for no body. */
export function framing(body: Body, method: string): readonly string[] {
  if (body.is === 'read') return ['content-length', String(body.bytes.length)];
  if (body.is === 'none') return bodiless.has(method) ? [] : ['content-length', '0'];
  return body.length === null ? ['transfer-encoding', 'chunked'] : ['content-length', body.length];
}

/** Methods without an expected body, which need no `Content-Length: 0`. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE']);
