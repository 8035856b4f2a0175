import type { LockedUpdate } from '../../model/dialect.ts';
import type { WriteRecord } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Session } from '../connection/call-sessions.ts';
import type { WriteDialect } from './write-dialect.ts';

/** The locked updates of one attempt, until the server refuses one: then the others would be refused, too. */
export class LockedUpdates {
  readonly #dialect: WriteDialect;
  readonly #table: Table;
  /** By the columns of records, which share these arrays. */
  readonly #made = new Map<readonly Column[], LockedUpdate | null>();
  #isRefused = false;
  #isProved = false;
  /** Whether the catalogue is older than the table. */
  isOutdated = false;

  constructor(dialect: WriteDialect, table: Table) {
    this.#dialect = dialect;
    this.#table = table;
  }

  /** The locked update of records like this one; null where there is none. */
  of({ columns, key }: WriteRecord): LockedUpdate | null {
    if (this.#isRefused || key === null) return null;
    const known = this.#made.get(columns);
    if (known !== undefined) return known;
    const set = settable(columns, key.columns);
    const made = set.length === 0 ? null : this.#dialect.lockedUpdate(this.#table, key.columns, set);
    this.#made.set(columns, made);
    return made;
  }

  /**
   * Whether the table is as the catalogue says. Call it after one of them is executed: from then on the table cannot change. With
   * another key, collation or trigger they would have written something else than an update.
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

/** The columns that an update sets. */
export const settable = (columns: readonly Column[], keys: readonly Column[]): readonly Column[] =>
  columns.filter((column) => !keys.some((key) => key.name === column.name));
