import type { ServerResponse } from 'node:http';
import type { Reply } from '../plan.ts';

export interface How {
  /** The answer to HEAD: all of the headers, none of the body. */
  readonly head: boolean;
  /** The reply is sent whole at once, but the response is not ended before this resolves. */
  readonly held: Promise<void> | null;
}

/**
 * Sends a whole reply with the headers every answer has (contract 1.5); those of the reply win. A client that has left
 * is left alone.
 */
export function send(res: ServerResponse, reply: Reply, how: How): void {
  if (res.destroyed) return;
  const bodiless = reply.status === 204 || reply.status === 304;
  res.writeHead(reply.status, {
    'Content-Type': 'application/json;charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    ...(bodiless ? {} : { 'Content-Length': Buffer.byteLength(reply.body) }),
    ...reply.headers,
  });
  const body = how.head || bodiless ? '' : reply.body;
  if (how.held === null) {
    res.end(body);
    return;
  }
  if (body.length > 0) res.write(body);
  else res.flushHeaders();
  how.held.then(() => res.end());
}
