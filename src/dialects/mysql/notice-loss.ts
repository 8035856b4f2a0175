/** Session settings that make a server notice that its client is gone, even if no packet says so. */
import type { Server } from '../../model/catalog.ts';

/** Seconds that a session may be idle; the pool closes idle connections earlier. */
const idleSeconds = 25;
/** Seconds without a byte in the middle of a message until the server drops the session. */
const stalledSeconds = 20;

/** For sessions that write, because they hold row locks. MySQL has no separate timeout for idle transactions. */
export function lostClientSettings({ product }: Server): string {
  const limits = `wait_timeout = ${idleSeconds}, net_read_timeout = ${stalledSeconds}, net_write_timeout = ${stalledSeconds}`;
  return product === 'mariadb' ? `${limits}, idle_transaction_timeout = ${stalledSeconds}` : limits;
}

/** For sessions that only read: a client may pause a download for as long as its statement may run. */
export const slowReaderSettings = (statementTimeout: number): string =>
  `net_write_timeout = ${Math.max(60, Math.ceil(statementTimeout / 1000))}`;
