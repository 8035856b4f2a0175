import { Socket } from 'node:net';

/** Where a server is and how to enter it. */
export interface Address {
  readonly host: string | null;
  readonly port: number | null;
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string;
  readonly socketPath: string | null;
  readonly tls: null | { readonly ca: string | null; readonly rejectUnauthorized: boolean };
}

/** Milliseconds a new connection may take, with its login. */
export const connectTimeout = 5000;
/** And until it is taken at all. */
const takenWithin = 2000;
/** And one over which a server is only asked something, with its answer. */
export const asideTimeout = 2000;

export function tlsOptions(tls: Exclude<Address['tls'], null>): { rejectUnauthorized: boolean; ca?: string } {
  return tls.ca === null
    ? { rejectUnauthorized: tls.rejectUnauthorized }
    : { rejectUnauthorized: tls.rejectUnauthorized, ca: tls.ca };
}

/**
 * A socket that gives up where no connection is taken. The system asks again after one second, and then after two and four: it
 * would not soon hear of a host that is back, and each such connection keeps a place of its pool.
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
