import type { LockedUpdate } from '../../model/dialect/edit.ts';
import type { WriteRecord } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Session } from '../connection/call-sessions.ts';
import type { WriteDialect } from './write-dialect.ts';

/**
 * Bulk updates of rows that this transaction has locked, written as an INSERT that updates on conflict: the fastest way for many rows. If
 * the server refuses one (for lack of a right, for example), we stop using them, because it would refuse the next one, too.
 */
export class LockedUpdates {
  readonly #dialect: WriteDialect;
  readonly #table: Table;
  /** Each locked update by the array of columns that its records share. */
  readonly #updates = new Map<readonly Column[], LockedUpdate | null>();
  #isRefused = false;
  #isProved = false;
  /** Whether the table has changed since we read the catalogue. */
  isOutdated = false;

  constructor(dialect: WriteDialect, table: Table) {
    this.#dialect = dialect;
    this.#table = table;
  }

  /** The locked update for records like this one; null if the dialect has none, or one was refused. */
  of({ columns, key }: WriteRecord): LockedUpdate | null {
    if (this.#isRefused || key === null) return null;
    const cached = this.#updates.get(columns);
    if (cached !== undefined) return cached;
    const set = settable(columns, key.columns);
    const update = set.length === 0 ? null : this.#dialect.lockedUpdate(this.#table, key.columns, set);
    this.#updates.set(columns, update);
    return update;
  }

  /**
   * Whether the table still matches the catalogue. If its key, a collation or a trigger has changed, the statement may have done more than
   * update. Call it after the first locked update: from then on our transaction locks the table's definition.
   */
  async areProved(session: Session, one: LockedUpdate): Promise<boolean> {
    if (this.#isProved) return true;
    for (const { statement, holds } of one.proofs()) this.isOutdated ||= !holds(await session.run(statement));
    this.#isProved = !this.isOutdated;
    return this.#isProved;
  }

  refused(): void {
    this.#isRefused = true;
  }
}

/** The columns that an update sets: all but the key. */
export const settable = (columns: readonly Column[], keys: readonly Column[]): readonly Column[] =>
  columns.filter((column) => !keys.some((key) => key.name === column.name));
