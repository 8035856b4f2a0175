/** Finds InnoDB's open transactions in the text of its status. */
import type { Server } from '../../model/catalog.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';

/** Its output includes a list of all open transactions. */
export const engineState = 'SHOW ENGINE INNODB STATUS';

export interface OpenTransaction {
  /** How long the transaction has been open. */
  readonly seconds: number;
  readonly hasWritten: boolean;
}

/** Matches a finished transaction. MySQL: a transaction that is committed in memory is already visible to others. MariaDB: not yet. */
const isOver = ({ product }: Pick<Server, 'product'>): RegExp =>
  product === 'mysql' ? /, (not started|COMMITTED IN MEMORY)/ : /, not started/;

/**
 * Reads the status, because the server stops refreshing information_schema.innodb_trx if it is polled more often than every 100 ms.
 * @param answer the answer to `engineState`
 * @returns null if the list is truncated, or a transaction is just ending
 */
export function openTransactions(
  answer: Answer | undefined,
  server: Pick<Server, 'product'>,
): readonly OpenTransaction[] | null {
  const state = text(answer?.cells[0]?.[2]);
  // The text before the list is about past events, such as the last deadlock.
  const [before = '', ...listed] = state.split(/^---TRANSACTION /m);
  if (before === '' || state.includes('truncated')) return null;
  const open: OpenTransaction[] = [];
  for (const one of listed) {
    const [head = ''] = one.split('\n', 1);
    if (isOver(server).test(head)) continue;
    const seconds = Number(/, ACTIVE .*?\b(\d+) sec/.exec(head)?.[1]);
    // No age means that the transaction is just ending. A huge age: the clock was set back, and the negative age overflowed.
    if (!Number.isSafeInteger(seconds)) return null;
    open.push({ seconds, hasWritten: one.includes('undo log entries') });
  }
  return open;
}
