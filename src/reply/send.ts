import type { ServerResponse } from 'node:http';
import { isStream, type Reply, type Stream } from '../model/http.ts';

export interface SendOptions {
  /** The request id. */
  readonly id: string;
  /** Whether this answers HEAD: with all headers, but without the body. */
  readonly head: boolean;
  /** If not null, the reply is sent at once, but the response ends only when this promise resolves. */
  readonly held: Promise<void> | null;
}

/** Sends a reply, with the headers that every answer has. If the client has disconnected, it only ends the body's stream. */
export function send(res: ServerResponse, reply: Reply, how: SendOptions): void {
  const { body } = reply;
  if (!res.destroyed) res.writeHead(reply.status, [...listed(reply), 'X-Request-Id', how.id]);
  if (isStream(body)) {
    sendPieces(res, body, how);
    return;
  }
  if (res.destroyed) return;
  // Neither status has a body (RFC 9110 8.6).
  const content = how.head || reply.status === 204 || reply.status === 304 ? '' : body;
  if (how.held === null) {
    res.end(content);
    return;
  }
  if (content.length > 0) res.write(content);
  else res.flushHeaders();
  how.held.then(() => res.end());
}

/** An answer's headers as a list, because `node:http` would copy and check an object. */
export function listed({ status, headers, body }: Reply): string[] {
  const list: string[] = [];
  // A 304 repeats only the headers that may have changed (RFC 9110 15.4.5).
  if (status !== 304) {
    if (headers['Content-Type'] === undefined) list.push('Content-Type', 'application/json;charset=utf-8');
    list.push('X-Content-Type-Options', 'nosniff');
    if (!isStream(body) && status !== 204) list.push('Content-Length', String(Buffer.byteLength(body)));
  }
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  return list;
}

/** Sends pieces with backpressure. If the body breaks off, destroys the connection, so that the body never looks complete. */
async function sendPieces(res: ServerResponse, { pieces, broken }: Stream, how: SendOptions): Promise<void> {
  const cut = () => void res.destroy();
  if (broken.aborted) cut();
  broken.addEventListener('abort', cut, { once: true });
  try {
    for await (const piece of how.head ? [] : pieces) {
      if (!res.destroyed && !res.write(piece)) await writable(res);
      // Leaving the loop also ends the generator that yields the pieces.
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

/** Resolves when the socket has drained, or the client has disconnected. */
function writable(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
