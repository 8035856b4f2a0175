import type { ServerResponse } from 'node:http';
import { isStream, type Reply, type Stream } from '../model/http.ts';

export interface SendOptions {
  /** The request id. */
  readonly id: string;
  /** The answer to HEAD: all of the headers, none of the body. */
  readonly head: boolean;
  /** The reply is sent whole at once, but the response is not ended before this resolves. */
  readonly held: Promise<void> | null;
}

/**
 * Sends a reply with the headers of every answer (contract 1.5); those of the reply override them. Does nothing if the client
 * has left.
 */
export function send(res: ServerResponse, reply: Reply, how: SendOptions): void {
  const { body } = reply;
  if (!res.destroyed) res.writeHead(reply.status, [...listed(reply), 'X-Request-Id', how.id]);
  if (isStream(body)) {
    pump(res, body, how);
    return;
  }
  if (res.destroyed) return;
  const shown = how.head || isBodiless(reply.status) ? '' : body;
  if (how.held === null) {
    res.end(shown);
    return;
  }
  if (shown.length > 0) res.write(shown);
  else res.flushHeaders();
  how.held.then(() => res.end());
}

/** The headers of an answer as a list, which node:http takes unchanged; it would copy and check an object. */
export function listed({ status, headers, body }: Reply): string[] {
  const list: string[] = [];
  // A 304 repeats only the headers that may have changed (RFC 9110 15.4.5).
  if (status !== 304) {
    if (headers['Content-Type'] === undefined) list.push('Content-Type', 'application/json;charset=utf-8');
    list.push('X-Content-Type-Options', 'nosniff');
    if (!isStream(body) && !isBodiless(status)) list.push('Content-Length', String(Buffer.byteLength(body)));
  }
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  return list;
}

/** These have no body, and no length of one (RFC 9110 8.6). */
function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** Sends pieces with backpressure. An aborted body destroys the connection, so that it never looks complete. */
async function pump(res: ServerResponse, { pieces, broken }: Stream, how: SendOptions): Promise<void> {
  const cut = () => void res.destroy();
  if (broken.aborted) cut();
  broken.addEventListener('abort', cut, { once: true });
  try {
    for await (const piece of how.head ? [] : pieces) {
      if (!res.destroyed && !res.write(piece)) await writable(res);
      // Leaving the loop ends the generator of pieces.
      if (res.destroyed) return;
    }
    await how.held;
    res.end();
  } catch {
    cut();
  } finally {
    broken.removeEventListener('abort', cut);
  }
}

/** Resolves when the socket has drained, or the client has left. */
function writable(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
