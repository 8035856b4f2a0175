import type { Values } from '../../model/dialect/edit.ts';
import { invalid, type Refusal } from '../../model/errors.ts';
import type { Write, WriteRecord } from '../../model/plan.ts';
import type { Answer } from '../../model/rows.ts';
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { Pace } from '../../values/slices.ts';
import type { Session } from '../connection/call-sessions.ts';
import { weigh } from '../connection/session.ts';
import { ambiguous, identityOf, maxKeysPerCondition, whereKeyIn } from './keys.ts';
import type { Cells, WriteDialect } from './write-dialect.ts';

/**
 * Remembers the key of each written record, to read all records after the last write: by then defaults, triggers and later records
 * have taken effect.
 *
 * The engine may assign a number to a new record. If INSERT cannot return it, we insert one by one, and the engine reports each number,
 * even if a trigger has changed it. Counting up from the first number of a batch would be a guess.
 */
export class WrittenKeys {
  /** The key columns that find the records again; empty if no records are returned. */
  readonly columns: readonly Column[];
  readonly #dialect: WriteDialect;
  readonly #plan: Write;
  readonly #keys = new Map<number, readonly BoundValue[]>();
  /** Positions of the key columns in a record's array of columns. Memoized by that array, which records with the same columns share. */
  readonly #places = new Map<readonly Column[], readonly number[]>();

  /** Throws a 409 if the engine would not tell us the key of a new record. */
  constructor(dialect: WriteDialect, plan: Write) {
    this.#dialect = dialect;
    this.#plan = plan;
    this.columns = plan.returned === null ? [] : (plan.records[0]?.key?.columns ?? plan.table.key);
    if (this.columns.length === 0 || plan.method === 'update' || dialect.returning.insert) return;
    for (const record of plan.records) {
      const given = this.#given(record);
      const unknown = this.columns.find((column, at) => !column.autoIncrement && given[at] === null);
      if (unknown !== undefined) throw untold(unknown, record);
    }
  }

  /** Whether this record must be inserted in a statement of its own, because only then does the engine report its number. */
  isAlone(record: WriteRecord): boolean {
    return !this.#dialect.returning.insert && this.columns.length > 0 && this.#given(record).includes(null);
  }

  /** Stores the keys of records that were just updated. */
  updated(records: readonly WriteRecord[]): void {
    if (this.columns.length === 0) return;
    for (const record of records) this.#keep(record, record.key?.values ?? []);
  }

  /** Stores the keys of records that were just inserted. Throws a 409 if a record was not inserted: a trigger can suppress an insert. */
  inserted(records: readonly WriteRecord[], { cells, inserted }: Answer): void {
    if (this.columns.length === 0) return;
    const { returning, stored } = this.#dialect;
    // If a batch returns too few rows, we cannot tell which record is missing. Then the batch fails, and we write one by one.
    const isWhole = !returning.insert || cells.length === records.length;
    for (const [nth, record] of records.entries()) {
      const row = isWhole ? cells[nth] : undefined;
      const given = returning.insert ? [] : this.#given(record);
      const key = this.columns.map((column, at) =>
        returning.insert ? stored(column, row?.[at] ?? null) : (given[at] ?? numbered(column, inserted)),
      );
      this.#keep(record, key);
    }
  }

  /** Reads the written records, each once, in the order in which the call first has them. Throws a 409 if one cannot be found. */
  async read(session: Session, returned: readonly Column[]): Promise<Cells> {
    const keysByIdentity = new Map<string, { readonly key: readonly BoundValue[]; readonly record: WriteRecord }>();
    const pace = new Pace();
    for (const record of this.#plan.records) {
      if (pace.isDue()) await pace.turn();
      const key = this.#keys.get(record.row);
      if (key === undefined) throw lost(record);
      const name = identityOf(this.#dialect, this.columns, key);
      if (!keysByIdentity.has(name)) keysByIdentity.set(name, { key, record });
    }
    const rowsByIdentity = new Map<string, Cells[number]>();
    const keys = [...keysByIdentity.values()].map(({ key }) => key);
    let remainingBytes = this.#dialect.responseBytes;
    for (let at = 0; at < keys.length; at += maxKeysPerCondition) {
      const some = keys.slice(at, at + maxKeysPerCondition);
      const { cells } = await session.run(
        this.#dialect.records(this.#plan.table, [...returned, ...this.columns], whereKeyIn(this.columns, some), {
          order: [],
          limit: null,
          lock: false,
        }),
        { maxBytes: remainingBytes },
      );
      if (cells.length > some.length) throw ambiguous();
      for (const row of cells) {
        remainingBytes -= weigh(row);
        const key = this.columns.map((column, nth) => this.#dialect.stored(column, row[returned.length + nth] ?? null));
        rowsByIdentity.set(identityOf(this.#dialect, this.columns, key), row.slice(0, returned.length));
      }
    }
    const rows: Cells[number][] = [];
    for (const [name, { record }] of keysByIdentity) {
      const row = rowsByIdentity.get(name);
      if (row === undefined) throw lost(record);
      rows.push(row);
      if (pace.isDue()) await pace.turn();
    }
    return rows;
  }

  /** The values that the call gives for the key columns; null for a column without a value. */
  #given(record: WriteRecord): Values {
    const at =
      this.#places.get(record.columns) ??
      this.columns.map(({ name }) => record.columns.findIndex((column) => column.name === name));
    this.#places.set(record.columns, at);
    return at.map((nth) => record.values[nth] ?? null);
  }

  #keep(record: WriteRecord, key: Values): void {
    const whole = key.filter((value) => value !== null);
    if (whole.length < this.columns.length) throw lost(record);
    this.#keys.set(record.row, whole);
  }
}

/** The number that the engine assigned. The driver reads an unsigned number from 2^63 on as negative. */
function numbered(column: Column, inserted: string | undefined): BoundValue | null {
  if (column.autoIncrement !== true || inserted === undefined) return null;
  const unsigned = column.type.kind === 'int' && column.type.min === 0n;
  return String(unsigned ? BigInt.asUintN(64, BigInt(inserted)) : inserted);
}

function untold(column: Column, { row }: WriteRecord): Refusal {
  return invalid({
    include_records: [
      `must be false where a record leaves "${column.label}" to the database, which does not tell what it puts there`,
    ],
    records_row: row,
  });
}

function lost({ row }: WriteRecord): Refusal {
  return invalid({
    include_records: [
      'must be false: after it was written this record cannot be found by its key, so nothing was written',
    ],
    records_row: row,
  });
}
