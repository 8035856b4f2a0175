import { Socket } from 'node:net';
import type { Tls } from '../../model/engines.ts';

/** Milliseconds a new connection may take, with its login. */
export const connectTimeout = 5000;
/** Milliseconds until the connection must be accepted. */
const takenWithin = 2000;
/** Milliseconds for a separate connection that asks about a session, with its answer. */
export const asideTimeout = 2000;

export function tlsOptions(tls: NonNullable<Tls>): { rejectUnauthorized: boolean; ca?: string } {
  return tls.ca === null
    ? { rejectUnauthorized: tls.rejectUnauthorized }
    : { rejectUnauthorized: tls.rejectUnauthorized, ca: tls.ca };
}

/**
 * A socket that gives up where no connection is accepted. The system retries after one second, then after two and four. It
 * would notice late that a host is back, and each such connection occupies a slot of its pool.
 */
export function socketThatGivesUp(): Socket {
  const socket = new Socket();
  const late = () =>
    Object.assign(new Error(`no connection within ${takenWithin} ms`), {
      code: 'ETIMEDOUT',
      milliseconds: takenWithin,
    });
  const timer = setTimeout(() => socket.destroy(late()), takenWithin);
  const settled = () => clearTimeout(timer);
  return socket.once('connect', settled).once('close', settled);
}
