/** One request to the application, and its answer to the client. */
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

export interface Place {
  readonly agent: Agent;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** What is asked of the application. */
export interface Asked {
  readonly path: string;
  /** Names and values in turn, those that frame the body too. */
  readonly headers: readonly string[];
  readonly body: Body;
  /** Whether the client takes headers behind a body, too. */
  readonly takesTrailers: boolean;
}

/** `streamed`: of so many bytes, or in chunks where that is not known. */
export type Body =
  | { readonly is: 'none' }
  | { readonly is: 'read'; readonly bytes: Uint8Array }
  | { readonly is: 'streamed'; readonly length: string | null };

/**
 * Asks the application and sends on what it answers.
 * @param done called once: with null when the client has its answer or has left, else with why the application has not answered
 * anything yet. It is no promise: those on this way took a tenth of the whole.
 */
export function exchange(
  place: Place,
  req: IncomingMessage,
  res: ServerResponse,
  asked: Asked,
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
    // Who has the whole answer has not left. Over TLS it may be there before Node has heard that all of the request was sent: the
    // connection is free as soon as it has.
    if (!res.writableFinished || !asking.writableEnded) asking.destroy();
    end(null);
  });
  asking.on('error', end);
  asking.on('information', ({ statusCode, headers: { link } }) => {
    if (statusCode === 103 && req.httpVersion !== '1.0') hint(res, String(link));
  });
  // Unheard, Node would drop the connection and say nothing to anybody.
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
    // A head whose body is long in coming is news as well: an event stream may say nothing yet. `flushHeaders` would write it in
    // UTF-8, which it is not.
    if (answer.readableLength === 0 && !answer.complete) res.write('', 'latin1');
    pump(answer, res, answer.headers['content-length'], takesTrailers);
  };
  // A tick later what came with the head has been read as well: mostly that is all of the body, which then needs no listeners.
  asking.on('response', (answer) => process.nextTick(sendOn, answer));
  if (body.is === 'streamed') pump(req, asking, body.length, true);
  else if (body.is === 'read') asking.end(body.bytes);
  else asking.end();
}

/** Passes on what is worth fetching already (RFC 8297). A link that Node would not write is lost: it is only a hint. */
function hint(res: ServerResponse, links: string): void {
  try {
    if (!res.headersSent && !res.destroyed) res.writeEarlyHints({ link: links.split(/,\s*(?=<)/) });
  } catch {}
}

/**
 * As `pipe` does it, for one reader that stays: what `pipe` does beside costs a fifth of a whole exchange. What comes when nobody
 * takes it any more is dropped.
 * @param length how many bytes there will be, where that is known: then the last ones and the end are one write
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
      // As in heads: Node reads what it would not write.
      to.destroy(error instanceof Error ? error : undefined);
    }
  });
}

/** How a body is framed, in names and values. Node would make chunks of it where it is not told, of none as well. */
export function framing(body: Body, method: string): readonly string[] {
  if (body.is === 'read') return ['content-length', String(body.bytes.length)];
  if (body.is === 'none') return bodiless.has(method) ? [] : ['content-length', '0'];
  return body.length === null ? ['transfer-encoding', 'chunked'] : ['content-length', body.length];
}

/** Methods of which nobody expects a body, so that it need not be said that there is none. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE']);
