import type { Values } from '../../model/dialect/edit.ts';
import { invalid, type Refusal } from '../../model/errors.ts';
import type { Where, Write, WriteRecord } from '../../model/plan.ts';
import type { Guarded } from '../../model/row-filter.ts';
import type { Answer } from '../../model/rows.ts';
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { Pace } from '../../values/slices.ts';
import type { Session } from '../connection/call-sessions.ts';
import { weigh } from '../connection/session.ts';
import { ambiguous, identityOf, isMixed, maxKeysPerCondition, mixedKeys, whereKeyIn } from './keys.ts';
import type { Cells, WriteDialect } from './write-dialect.ts';

interface WrittenKey {
  readonly values: readonly BoundValue[];
  readonly identity: string;
}

/**
 * Remembers the key of each written record, to read all records after the last write: by then defaults, triggers and later records
 * have taken effect.
 *
 * The engine may assign a number to a new record. If INSERT cannot return it, we insert one by one, and the engine reports each number,
 * even if a trigger has changed it. Counting up from the first number of a batch would be a guess.
 */
export class WrittenKeys {
  /** The key columns by which we find the records again; empty if we need not return records or check a row filter. */
  readonly columns: readonly Column[];
  readonly #dialect: WriteDialect;
  readonly #plan: Guarded<Write>;
  readonly #keys = new Map<number, WrittenKey>();
  /** For each key, by its identity, the last record with that key; only used under a row filter. */
  readonly #holders = new Map<string, number>();
  /** Positions of the key columns in a record's array of columns. Memoized by that array, which records with the same columns share. */
  readonly #places = new Map<readonly Column[], readonly number[]>();

  /** Throws a 409 if the engine would not return a new record's key, or if under a row filter the records use different key columns. */
  constructor(dialect: WriteDialect, plan: Guarded<Write>) {
    this.#dialect = dialect;
    this.#plan = plan;
    if (plan.rows.where !== null && isMixed(plan.records)) throw mixedKeys();
    const isUnused = plan.returned === null && plan.rows.where === null;
    this.columns = isUnused ? [] : (plan.records[0]?.key?.columns ?? plan.table.key);
    if (this.columns.length === 0 || plan.method === 'update' || dialect.returning.insert) return;
    for (const record of plan.records) {
      const given = this.#given(record);
      const unknown = this.columns.find((column, at) => !column.autoIncrement && given[at] === null);
      if (unknown !== undefined) throw untold(unknown, record, plan);
    }
  }

  /** Whether this record needs an INSERT of its own, because only then does the engine report its number. */
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
    // If a batch inserts too few rows, we can't tell which record is missing. Then the batch fails, and we write one by one.
    const isWhole = !returning.insert || cells.length === records.length;
    for (const [nth, record] of records.entries()) {
      const row = isWhole ? cells[nth] : undefined;
      const given = returning.insert ? [] : this.#given(record);
      const key = this.columns.map((column, at) =>
        returning.insert ? stored(column, row?.[at] ?? null) : (given[at] ?? numbered(column, inserted)),
      );
      this.#keepNew(record, key);
    }
  }

  /** Reads the written records, each once, in the order in which they first appear in the call. Throws a 409 if one can't be found. */
  async read(session: Session, returned: readonly Column[]): Promise<Cells> {
    const keysByIdentity = new Map<string, { readonly values: WrittenKey['values']; readonly record: WriteRecord }>();
    const pace = new Pace();
    for (const record of this.#plan.records) {
      if (pace.isDue()) await pace.turn();
      const key = this.#keys.get(record.row);
      if (key === undefined) throw lost(record, this.#plan);
      const { identity, values } = key;
      if (!keysByIdentity.has(identity)) keysByIdentity.set(identity, { values, record });
    }
    const rowsByIdentity = new Map<string, Cells[number]>();
    const keys = [...keysByIdentity.values()].map(({ values }) => values);
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
        rowsByIdentity.set(this.#identityOf(key), row.slice(0, returned.length));
      }
    }
    const rows: Cells[number][] = [];
    for (const [name, { record }] of keysByIdentity) {
      const row = rowsByIdentity.get(name);
      if (row === undefined) throw lost(record, this.#plan);
      rows.push(row);
      if (pace.isDue()) await pace.turn();
    }
    return rows;
  }

  /**
   * Throws a 409 for the first record that ended up outside the row filter: called after the last write, when triggers and defaults have
   * taken effect.
   */
  async mustBeInside(session: Session, inside: Where): Promise<void> {
    const keys = [...this.#holders.values()].flatMap((row) => {
      const key = this.#keys.get(row);
      return key === undefined ? [] : [key.values];
    });
    if (await this.#areAllInside(session, keys, inside)) return;
    const found = await this.#stored(session, keys, inside);
    const pace = new Pace();
    for (const record of this.#plan.records) {
      if (pace.isDue()) await pace.turn();
      const key = this.#keys.get(record.row);
      if (key === undefined || !found.has(key.identity)) throw outside(record);
    }
  }

  /** Whether all these keys have rows within the row filter, by counting: that takes half the time of reading the keys. */
  async #areAllInside(session: Session, keys: readonly (readonly BoundValue[])[], inside: Where): Promise<boolean> {
    // If keys need not be unique, a key with two rows would make up for a key whose row is outside.
    if (this.#plan.table.keyIs !== 'proved' || !this.#plan.records.every(({ row }) => this.#keys.has(row)))
      return false;
    for (const some of this.#batches(keys)) {
      const where: Where = { op: 'all', of: [whereKeyIn(this.columns, some), inside] };
      const { cells } = await session.run(this.#dialect.countOf(this.#plan.table, where));
      if (Number(cells[0]?.[0]) !== some.length) return false;
    }
    return true;
  }

  *#batches(keys: readonly (readonly BoundValue[])[]): Generator<readonly (readonly BoundValue[])[]> {
    const size = this.columns.length === 1 ? this.#dialect.limits.keys : maxKeysPerCondition;
    for (let at = 0; at < keys.length; at += size) yield keys.slice(at, at + size);
  }

  /**
   * Throws a 409 if one of these new records has the key of a stored one. Else, if a trigger gives the new record another key, we would
   * check the stored one in its place. Only needed under a row filter, where the engine does not return the key.
   */
  async mustBeNew(session: Session, records: readonly WriteRecord[]): Promise<void> {
    const { table, rows } = this.#plan;
    const mayBeChanged = table.sequence.records !== 'in any order';
    if (rows.where === null || this.#dialect.returning.insert || !mayBeChanged) return;
    const given = records.flatMap((record) => {
      const values = this.#given(record).filter((value) => value !== null);
      return values.length < this.columns.length ? [] : [{ record, values }];
    });
    const keys = given.map(({ values }) => values);
    const stored = await this.#stored(session, keys, null);
    const same = given.find(({ values }) => stored.has(this.#identityOf(values)))?.record;
    const duplicate = { kind: 'duplicate', constraint: null } as const;
    if (same !== undefined) throw this.#dialect.refuse(duplicate, table, same.row, null) ?? outside(same);
  }

  /** Which of these keys are in the table, as identities; with `inside`, only keys of rows that match it. */
  async #stored(
    session: Session,
    keys: readonly (readonly BoundValue[])[],
    inside: Where | null,
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const some of this.#batches(keys)) {
      const named = whereKeyIn(this.columns, some);
      const where: Where = inside === null ? named : { op: 'all', of: [named, inside] };
      const { cells } = await session.run(this.#dialect.records(this.#plan.table, this.columns, where, everyRecord));
      for (const row of cells)
        found.add(this.#identityOf(this.columns.map((column, nth) => this.#dialect.stored(column, row[nth] ?? null))));
    }
    return found;
  }

  #identityOf(key: Values): string {
    return identityOf(this.#dialect, this.columns, key);
  }

  /** The values that the client sent for the key columns; null for a column without a value. */
  #given(record: WriteRecord): Values {
    const at =
      this.#places.get(record.columns) ??
      this.columns.map(({ name }) => record.columns.findIndex((column) => column.name === name));
    this.#places.set(record.columns, at);
    return at.map((nth) => record.values[nth] ?? null);
  }

  /**
   * Throws a 409 if an earlier record of the call has this key. A trigger has changed the earlier record's key, and under a row filter we
   * would check the new record in its place.
   */
  #keepNew(record: WriteRecord, key: Values): void {
    const identity = this.#identityOf(key);
    const holder = this.#holders.get(identity);
    if (holder !== undefined && holder !== record.row) throw lost(record, this.#plan);
    this.#keep(record, key, identity);
  }

  #keep(record: WriteRecord, key: Values, identity = this.#identityOf(key)): void {
    const values = key.filter((value) => value !== null);
    if (values.length < this.columns.length) throw lost(record, this.#plan);
    this.#keys.set(record.row, { values, identity });
    if (this.#plan.rows.where !== null) this.#holders.set(identity, record.row);
  }
}

/** The number that the engine assigned. The driver returns an unsigned number from 2^63 on as negative. */
function numbered(column: Column, inserted: string | undefined): BoundValue | null {
  if (column.autoIncrement !== true || inserted === undefined) return null;
  const unsigned = column.type.kind === 'int' && column.type.min === 0n;
  return String(unsigned ? BigInt.asUintN(64, BigInt(inserted)) : inserted);
}

function untold(column: Column, { row }: WriteRecord, { returned }: Write): Refusal {
  const why = 'which does not tell what it puts there';
  return returned === null
    ? invalid({ records: [`must not leave "${column.label}" to the database, ${why}`], records_row: row })
    : invalid({
        include_records: [`must be false where a record leaves "${column.label}" to the database, ${why}`],
        records_row: row,
      });
}

function lost({ row }: WriteRecord, { returned }: Write): Refusal {
  const why = 'after it was written this record cannot be found by its key, so nothing was written';
  if (returned === null) return invalid({ records: [why], records_row: row });
  return invalid({ include_records: [`must be false: ${why}`], records_row: row });
}

const outside = ({ row }: WriteRecord): Refusal =>
  invalid({ records: ['is outside the rows that this token may write'], records_row: row });

const everyRecord = { order: [], limit: null, lock: false } as const;
