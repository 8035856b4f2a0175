/** The transactions of InnoDB that have begun and not ended. */
import type { Server } from '../../model/catalog.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';

/** Lists them, beside much else. */
export const engineState = 'SHOW ENGINE INNODB STATUS';

export interface OpenTransaction {
  /** For which it has been open. */
  readonly seconds: number;
  readonly hasWritten: boolean;
}

/** MySQL shows what it has committed in memory to all others, MariaDB does so a moment later. */
const isOver = ({ product }: Pick<Server, 'product'>): RegExp =>
  product === 'mysql' ? /, (not started|COMMITTED IN MEMORY)/ : /, not started/;

/**
 * (information_schema.innodb_trx says the same, but its answer stays as it is while somebody asks more often than every 100 ms.)
 * @param answer that of `engineState`
 * @returns null where the list has been cut, or one of them is about to end
 */
export function openTransactions(
  answer: Answer | undefined,
  server: Pick<Server, 'product'>,
): readonly OpenTransaction[] | null {
  const state = text(answer?.cells[0]?.[2]);
  // What comes before the list is over, such as the last deadlock.
  const [before = '', ...listed] = state.split(/^---TRANSACTION /m);
  if (before === '' || state.includes('truncated')) return null;
  const open: OpenTransaction[] = [];
  for (const one of listed) {
    const [head = ''] = one.split('\n', 1);
    if (isOver(server).test(head)) continue;
    const seconds = Number(/, ACTIVE .*?\b(\d+) sec/.exec(head)?.[1]);
    // A clock that was set back gives a negative age, which shows as a very large one.
    if (!Number.isSafeInteger(seconds)) return null;
    open.push({ seconds, hasWritten: one.includes('undo log entries') });
  }
  return open;
}
