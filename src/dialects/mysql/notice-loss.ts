/** Settings of a session by which a server notices that its client is gone, although the network has lost the news. */
import type { Server } from '../../model/catalog.ts';

/** Seconds that a session may be idle; the pool closes idle ones before. */
const idle = 25;
/** Seconds without a byte in the middle of a message. */
const stalled = 20;

/** For a session that writes: it holds row locks. MySQL does not tell idle sessions in a transaction from others. */
export function noticeLoss({ product }: Server): string {
  const limits = `wait_timeout = ${idle}, net_read_timeout = ${stalled}, net_write_timeout = ${stalled}`;
  return product === 'mariadb' ? `${limits}, idle_transaction_timeout = ${stalled}` : limits;
}

/** For other sessions: a client may read a download as slowly as its statement may run. */
export const awaitReader = (statementTimeout: number): string =>
  `net_write_timeout = ${Math.max(60, Math.ceil(statementTimeout / 1000))}`;
