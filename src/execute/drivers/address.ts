import { Socket } from 'node:net';
import type { Tls } from '../../model/engines.ts';

/** Timeout in milliseconds for a new connection, including the login. */
export const connectTimeout = 5000;
/** Timeout in milliseconds until the host accepts the TCP connection. */
const acceptTimeoutMs = 2000;
/** Timeout in milliseconds for a separate connection that asks about a session or cancels it, until its answer has arrived. */
export const asideTimeout = 2000;

export function tlsOptions(tls: NonNullable<Tls>): { rejectUnauthorized: boolean; ca?: string } {
  return tls.ca === null
    ? { rejectUnauthorized: tls.rejectUnauthorized }
    : { rejectUnauthorized: tls.rejectUnauthorized, ca: tls.ca };
}

/**
 * A socket that gives up soon if the host does not accept the connection. The operating system would retry with growing pauses (1, 2,
 * 4 s …), notice late that the host is back, and occupy a slot of the pool meanwhile.
 */
export function socketThatGivesUp(): Socket {
  const socket = new Socket();
  const late = () =>
    Object.assign(new Error(`no connection within ${acceptTimeoutMs} ms`), {
      code: 'ETIMEDOUT',
      milliseconds: acceptTimeoutMs,
    });
  const timer = setTimeout(() => socket.destroy(late()), acceptTimeoutMs);
  const settled = () => clearTimeout(timer);
  return socket.once('connect', settled).once('close', settled);
}
