/**
 * A write runs the same way on every engine: lock the keys, insert missing records, update existing ones. We avoid `ON DUPLICATE KEY
 * UPDATE`, because it updates a row found by any unique key, even if the row has another key than the record. An upsert on which only its
 * own key can conflict needs no locks (`upsertAll`).
 */

import type { ErrorKind } from '../../model/catalog.ts';
import type { LockedUpdate } from '../../model/dialect/edit.ts';
import type { Write, WriteRecord } from '../../model/plan.ts';
import type { Guarded } from '../../model/row-filter.ts';
import { plain } from '../../model/rows.ts';
import type { Sequence } from '../../model/table.ts';
import { inSlices } from '../../values/slices.ts';
import type { Session } from '../connection/call-sessions.ts';
import { batches, type IdentifiedRecord, type IdentifiedRecords, rowsOf } from './batches.ts';
import { boundColumns, withColumn } from './error-column.ts';
import {
  ambiguous,
  identifyRecords,
  isMixed,
  isOwnKey,
  isSpelledOnce,
  notFound,
  refuseReadOnly,
  resembles,
} from './keys.ts';
import { type LockedKeys, lockKeys } from './lock-keys.ts';
import { LockedUpdates, settable } from './locked-updates.ts';
import { type Order, sequenceOf } from './sequence.ts';
import { knownFirst } from './sorted.ts';
import { maxAttempts, orRetry, Retry } from './transaction.ts';
import { upsertAll } from './upsert-all.ts';
import type { WriteDialect } from './write-dialect.ts';
import type { WrittenKeys } from './written-keys.ts';

/** Limit of attempts if we can't tell whether a concurrent writer caused a duplicate key. */
const maxAttemptsInDoubt = 3;

/** One attempt to write the records of a call, inside a transaction. */
export class WriteAttempt {
  readonly #session: Session;
  readonly #dialect: WriteDialect;
  readonly #plan: Guarded<Write>;
  readonly #writtenKeys: WrittenKeys;
  readonly #attempt: number;
  readonly #order: Order;
  /** Whether we wrote the records in another order than the client sent them. */
  reordered = false;
  readonly #lockedUpdates: LockedUpdates;

  constructor(
    session: Session,
    dialect: WriteDialect,
    plan: Guarded<Write>,
    writtenKeys: WrittenKeys,
    attempt: number,
    order: Order,
  ) {
    this.#session = session;
    this.#dialect = dialect;
    this.#plan = plan;
    this.#writtenKeys = writtenKeys;
    this.#attempt = attempt;
    this.#order = order;
    this.#lockedUpdates = new LockedUpdates(dialect, plan.table);
  }

  /** Whether the write has found that the table changed after we read the catalogue. */
  get isOutdated(): boolean {
    return this.#lockedUpdates.isOutdated;
  }

  /** @returns `refused` if the server refused to upsert without locks: the caller must roll back, and try again in another order */
  async run(): Promise<'done' | 'refused'> {
    const all = await inSlices(identifyRecords(this.#dialect, this.#plan.records));
    const { records, shapes } = all;
    // An INSERT that updates on conflict would also update rows that the row filter hides.
    const mayUpsertAtOnce = this.#plan.rows.where === null;
    if (mayUpsertAtOnce && this.#order === 'at once' && records.length > 1 && !isMixed(shapes)) {
      const upserted = await upsertAll(this.#session, this.#dialect, this.#plan, all, this.#lockedUpdates);
      if (upserted === 'done') this.#writtenKeys.updated(this.#plan.records);
      if (upserted !== 'unsuited') return upserted;
    }
    await this.#writeWithLocks(all);
    return 'done';
  }

  async #writeWithLocks({ records, shapes }: IdentifiedRecords): Promise<void> {
    const { table } = this.#plan;
    // A record sent with its `_id` and one sent with its key may be the same row. Only a lookup after each write shows that.
    if (isMixed(shapes)) return this.#oneByOne(records, null);
    const { stored, resembling } = await lockKeys(this.#session, this.#dialect, this.#plan, records);
    // One by one if a stored key is spelled differently from ours (then we refuse its record), or if the table can't roll back.
    if (resembling || !table.transactional || records.length === 1)
      return this.#oneByOne(records, records.length === 1 && !resembling ? stored : null);
    const sequence = await inSlices(sequenceOf(table, shapes));
    await this.#inBatches(
      sequence === 'in any order' ? await this.#ordered(records, stored) : records,
      stored,
      sequence,
    );
  }

  async #inBatches(
    records: readonly IdentifiedRecord[],
    stored: Set<string>,
    sequence: Sequence['records'],
  ): Promise<void> {
    const { limits } = this.#dialect;
    for (const batch of batches(records, {
      stored,
      limits,
      method: this.#plan.method,
      isAlone: (record) => sequence === 'alone' || this.#writtenKeys.isAlone(record),
      maxBytes: this.#dialect.maxStatementBytes,
      updateRows: (record) => {
        if (sequence === 'alone' || sequence === 'updates alone') return 1;
        return this.#lockedUpdates.of(record) === null ? limits.updateRows : limits.rows;
      },
    })) {
      const [only, ...others] = batch.records;
      if (only !== undefined && others.length === 0)
        await this.#oneByOne(batch.records, this.#mayBeEqual(only.record) ? null : stored);
      else if (!(await this.#together(batch.records, batch.kind)))
        await this.#inBatches(batch.records, stored, sequence);
      for (const { record, identity } of batch.records) if (record.key !== null) stored.add(identity);
    }
  }

  async #ordered(
    records: readonly IdentifiedRecord[],
    stored: ReadonlySet<string>,
  ): Promise<readonly IdentifiedRecord[]> {
    if (this.#order === 'as sent' || this.#plan.method !== 'upsert') return records;
    const ordered = await inSlices(knownFirst(records, stored));
    this.reordered = ordered.some((record, nth) => record !== records[nth]);
    return ordered;
  }

  /**
   * Writes a batch in one statement. If that fails, writes the records one by one, to find the one to name in the error.
   * @returns false if the server refused a locked update: nothing is written then, and we try no other locked update
   */
  async #together(records: readonly IdentifiedRecord[], kind: 'insert' | 'update'): Promise<boolean> {
    const [first] = records.map(({ record }) => record);
    const locked = kind === 'update' && first !== undefined ? this.#lockedUpdates.of(first) : null;
    await this.#session.run(plain('SAVEPOINT batch'));
    try {
      await this.#apply(
        records.map(({ record }) => record),
        kind,
        locked,
      );
      if (locked !== null && !(await this.#lockedUpdates.areProved(this.#session, locked)))
        throw new Error('the table has changed');
    } catch (error) {
      orRetry(this.#dialect.classifyError(error), error);
      if (locked !== null) {
        await this.#session.run(plain('ROLLBACK TO SAVEPOINT batch'));
        this.#lockedUpdates.refused();
        return false;
      }
      // If another writer inserted a key after we locked, retry the call: one by one, we would lock in another order than others do.
      if (kind === 'insert' && first !== undefined && this.#attempt < maxAttempts && !this.#mayBeEqual(first))
        this.#appeared(this.#dialect.classifyError(error), first, error);
      await this.#session.run(plain('ROLLBACK TO SAVEPOINT batch'));
      await this.#oneByOne(records, null);
      return true;
    }
    await this.#session.run(plain('RELEASE SAVEPOINT batch'));
    return true;
  }

  /** @param stored the identities of the existing keys; null: lock and look up each key first */
  async #oneByOne(records: readonly IdentifiedRecord[], stored: ReadonlySet<string> | null): Promise<void> {
    for (const one of records) {
      const { record, identity } = one;
      const keys = stored === null ? await this.#lock(one) : { stored, resembling: false };
      if (keys.resembling) throw resembles(record);
      const exists = record.key !== null && keys.stored.has(identity);
      if (this.#plan.method === 'update' && !exists) throw notFound(record);
      try {
        await this.#apply([record], exists ? 'update' : 'insert', null);
      } catch (error) {
        orRetry(this.#dialect.classifyError(error), error);
        const meaning = this.#dialect.classifyError(error);
        if (!exists && this.#attempt < maxAttempts) this.#appeared(meaning, record, error);
        const about = withColumn(meaning, boundColumns(record, exists));
        throw this.#dialect.refuse(about, this.#plan.table, record.row, error) ?? error;
      }
    }
  }

  async #apply(records: readonly WriteRecord[], kind: 'insert' | 'update', locked: LockedUpdate | null): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const { table } = this.#plan;
    if (kind === 'insert' || first.key === null) {
      refuseReadOnly(records);
      await this.#writtenKeys.mustBeNew(this.#session, records);
      const rows = records.map((record) => record.values);
      const answer = await this.#session.run(
        this.#dialect.insert(table, first.columns, rows, this.#writtenKeys.columns),
      );
      this.#writtenKeys.inserted(records, answer);
      return;
    }
    const keys = first.key.columns;
    const set = settable(first.columns, keys);
    if (set.length > 0) {
      const rows = rowsOf(records, [...keys, ...set]);
      const answer = await this.#session.run(locked?.statement(rows) ?? this.#dialect.update(table, keys, set, rows));
      if (locked !== null && locked.found(answer) !== records.length) throw new Error('not every record was updated');
      if (locked === null && answer.found > records.length) throw ambiguous();
    }
    this.#writtenKeys.updated(records);
  }

  #lock(record: IdentifiedRecord): Promise<LockedKeys> {
    return lockKeys(this.#session, this.#dialect, this.#plan, [record]);
  }

  /** Whether the server may consider two keys of this call equal: duplicates keep coming up. Only a lookup per record can tell. */
  #mayBeEqual({ key }: WriteRecord): boolean {
    return this.#attempt > maxAttemptsInDoubt && key?.columns.every(isSpelledOnce) !== true;
  }

  /**
   * Throws `Retry` if another writer has inserted the key after our lock did not find it. If another unique key may be the cause, retry
   * only a few times: the next lock would find a duplicate of the record's own key.
   */
  #appeared(meaning: ErrorKind, record: WriteRecord, cause: unknown): void {
    if (meaning.kind !== 'duplicate' || record.key === null) return;
    // Our lock never finds a key in a row that the row filter hides. So retry just once, in case another writer inserted the key.
    if (this.#plan.rows.where !== null && this.#attempt > 1) return;
    const isOwn = isOwnKey(this.#plan.table, meaning.constraint, record);
    if (isOwn === true || (isOwn === null && this.#attempt < maxAttemptsInDoubt))
      throw new Retry('the key appeared meanwhile', { cause });
  }
}
