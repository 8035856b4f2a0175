/**
 * The program of a write is the same on every engine: lock the keys, insert the missing, update the found. `ON DUPLICATE KEY
 * UPDATE` fires on any unique key and would change another row; here a unique key other than the record's own is an error.
 */

import type { Blame } from '../catalog.ts';
import { invalid } from '../errors.ts';
import type { Write, WriteRecord } from '../plan.ts';
import { batches, valuesOf } from './batches.ts';
import { boundColumns, withColumn } from './blamed.ts';
import type { Session } from './database.ts';
import { ambiguous, identityOf, isMixed, keysAtOnce, notFound, resembles } from './keys.ts';
import type { Places } from './places.ts';
import { attempts, orRetry, plain, Retry } from './transaction.ts';
import type { Values, Writer } from './writer.ts';

/**
 * Calls that insert the same keys must not wait for one another in a circle, so all insert in the order of the keys, what
 * is there already first. The outcome is that of the records in sequence; where one fails, their own order decides.
 */
export type Order = 'by key' | 'as sent';

/** One attempt at one call, inside its transaction. */
export class Call {
  readonly #session: Session;
  readonly #writer: Writer;
  readonly #plan: Write;
  readonly #places: Places;
  readonly #attempt: number;
  readonly #order: Order;
  /** Whether the records were taken in another order than they came in. */
  reordered = false;

  constructor(session: Session, writer: Writer, plan: Write, places: Places, attempt: number, order: Order) {
    this.#session = session;
    this.#writer = writer;
    this.#plan = plan;
    this.#places = places;
    this.#attempt = attempt;
    this.#order = order;
  }

  async run(): Promise<void> {
    const { records, table } = this.#plan;
    // Which of them are the same record shows only when each is looked for after the one before it is written.
    if (isMixed(records)) return this.#oneByOne(records, null);
    const { stored, strange } = await this.#lock(records);
    // A key that only resembles ours, and engines without rollback, are taken one by one: the careful way.
    if (strange || !table.transactional || records.length === 1)
      return this.#oneByOne(records, records.length === 1 && !strange ? stored : null);
    const alone = table.uniqueKeys.length > 1;
    for (const batch of batches(this.#ordered(records, stored), {
      stored,
      method: this.#plan.method,
      identity: (record) => this.#identity(record),
      limits: this.#writer.limits,
      isAlone: (record) => this.#places.isAlone(record),
      maxBytes: this.#writer.maxStatementBytes,
      alone,
    })) {
      if (batch.records.length === 1) await this.#oneByOne(batch.records, stored);
      else await this.#together(batch.records, batch.kind);
      for (const record of batch.records) if (record.key !== null) stored.add(this.#identity(record));
    }
  }

  #ordered(records: readonly WriteRecord[], stored: ReadonlySet<string>): readonly WriteRecord[] {
    if (this.#order === 'as sent' || this.#plan.method !== 'upsert') return records;
    const named = records.map((record) => ({ record, name: this.#identity(record) }));
    const [known, missing] = [true, false].map((is) => named.filter(({ name }) => stored.has(name) === is));
    missing?.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const ordered = [...(known ?? []), ...(missing ?? [])].map(({ record }) => record);
    this.reordered = ordered.some((record, nth) => record !== records[nth]);
    return ordered;
  }

  /** One statement for many records; when it fails, they are run again one by one, to name the one that fails. */
  async #together(records: readonly WriteRecord[], kind: 'insert' | 'update'): Promise<void> {
    await this.#session.run(plain('SAVEPOINT batch'));
    try {
      await this.#apply(records, kind);
    } catch (error) {
      this.#retryable(error);
      const [first] = records;
      // One by one they would be locked in another order than other calls lock them. But two keys of this call may be
      // equal under the collation, and that shows only one by one.
      const isSure = first?.key?.columns.every((column) => column.equality === 'exact') === true;
      if (kind === 'insert' && first !== undefined && this.#attempt < (isSure ? attempts : 4))
        this.#appeared(this.#writer.blame(error), first, error);
      await this.#session.run(plain('ROLLBACK TO SAVEPOINT batch'));
      return this.#oneByOne(records, null);
    }
    await this.#session.run(plain('RELEASE SAVEPOINT batch'));
  }

  async #oneByOne(records: readonly WriteRecord[], known: ReadonlySet<string> | null): Promise<void> {
    for (const record of records) {
      const found = known === null ? await this.#lock([record]) : { stored: known, strange: false };
      if (found.strange) throw resembles(record);
      const exists = record.key !== null && found.stored.has(this.#identity(record));
      if (this.#plan.method === 'update' && !exists) throw notFound(record);
      try {
        await this.#apply([record], exists ? 'update' : 'insert');
      } catch (error) {
        this.#retryable(error);
        const blame = this.#writer.blame(error);
        if (!exists && this.#attempt < attempts) this.#appeared(blame, record, error);
        const about = withColumn(blame, boundColumns(record, exists));
        throw this.#writer.refuse(about, this.#plan.table, record.row, error) ?? error;
      }
    }
  }

  async #apply(records: readonly WriteRecord[], kind: 'insert' | 'update'): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const { table } = this.#plan;
    if (kind === 'insert' || first.key === null) {
      this.#refuseReadOnly(records);
      const rows = records.map((record) => record.values);
      const answer = await this.#session.run(this.#writer.insert(table, first.columns, rows, this.#places.columns));
      this.#places.inserted(records, answer);
      return;
    }
    const keys = first.key.columns;
    const set = first.columns.filter((column) => !keys.some((key) => key.name === column.name));
    if (set.length > 0) {
      const rows = records.map((record) => valuesOf(record, [...keys, ...set]));
      const { found } = await this.#session.run(this.#writer.update(table, keys, set, rows));
      if (found > records.length) throw ambiguous();
    }
    this.#places.updated(records);
  }

  /** Locks the records' keys. `strange`: a stored key equals one of ours under the column's collation only. */
  async #lock(records: readonly WriteRecord[]): Promise<{ stored: Set<string>; strange: boolean }> {
    const asked = new Map<string, Values>();
    const stored = new Set<string>();
    for (const record of records)
      if (record.key !== null && !record.key.values.includes(null))
        asked.set(this.#identity(record), record.key.values);
    const columns = records.find((record) => record.key !== null)?.key?.columns ?? [];
    if (columns.length === 0) return { stored, strange: false };
    let strange = false;
    const keys = [...asked].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
    const size = Math.min(keysAtOnce, Math.floor(this.#writer.limits.bindings / columns.length));
    for (let at = 0; at < keys.length; at += size) {
      const { cells } = await this.#session
        .run(this.#writer.lock(this.#plan.table, columns, keys.slice(at, at + size)))
        .catch((error: unknown) => {
          this.#retryable(error);
          const blame = withColumn(this.#writer.blame(error), columns);
          throw this.#writer.refuse(blame, this.#plan.table, null, error) ?? error;
        });
      for (const row of cells) {
        const identity = JSON.stringify(columns.map((column, nth) => this.#writer.identity(column, row[nth] ?? null)));
        stored.add(identity);
        if (!asked.has(identity)) strange = true;
      }
    }
    return { stored, strange };
  }

  #identity(record: WriteRecord): string {
    const { columns, values } = record.key ?? { columns: [], values: [] };
    return identityOf(this.#writer, columns, values);
  }

  #isOwnKey(constraint: string | null, record: WriteRecord): boolean {
    const own = record.key?.columns.map((column) => column.name) ?? [];
    const { uniqueKeys, keyIs } = this.#plan.table;
    const unique = uniqueKeys.find((key) => key.name === constraint);
    // The keys of what is below a view are not known; a table's index that is none of its keys is over an expression.
    if (unique === undefined) return constraint === null || keyIs === 'claimed';
    return unique.columns.length === own.length && unique.columns.every((name) => own.includes(name));
  }

  /** A read-only column may find a record as its key, but a record that is missing cannot be made with it. */
  #refuseReadOnly(records: readonly WriteRecord[]): void {
    for (const { columns, row } of records) {
      const fixed = columns.find((column) => column.readOnly);
      if (fixed !== undefined)
        throw invalid({
          records: [`column "${fixed.label}" is read-only`],
          records_row: row,
          records_field: fixed.label,
        });
    }
  }

  /** We saw no such key: where it is a duplicate now, another writer has inserted it since. */
  #appeared(blame: Blame, record: WriteRecord, cause: unknown): void {
    if (blame.kind === 'duplicate' && record.key !== null && this.#isOwnKey(blame.constraint, record))
      throw new Retry('the key appeared meanwhile', { cause });
  }

  #retryable(error: unknown): void {
    orRetry(this.#writer.blame(error), error);
  }
}
