import fc from 'fast-check';
import type { Params } from './model/answer.ts';
import { cellOf, type Row } from './model/filters.ts';
import { idColumn } from './model/names.ts';
import { isLongTime, isPartialDate } from './model/times.ts';
import { misses, nasty } from './nasty.ts';
import { keyCells, pooled } from './rows.ts';
import { type Members, number, object, type Sent } from './sent.ts';
import { spelled } from './spelled.ts';
import { type Column, isUnique, type Table } from './table.ts';
import { cells } from './values.ts';

type Entry = readonly [name: string, value: Sent];

/** Random parameters of `datastore_upsert`. */
export function puts(table: Table, rows: readonly Row[]): fc.Arbitrary<Params> {
  const records = fc.oneof(
    { weight: 30, arbitrary: fc.array(record(table, rows), { minLength: 1, maxLength: 4 }) },
    { weight: 10, arbitrary: trade(table, rows) },
    { weight: 1, arbitrary: fc.constantFrom<readonly Sent[]>([], [number('1')], [null], [[]]) },
  );
  // A table without a key only accepts inserts.
  const usual = table.key.length === 0 ? 'insert' : 'upsert';
  const method = fc.constantFrom<Sent>('insert', 'update', 'upsert', usual, usual);
  return fc
    .tuple(method, records)
    .map(([how, all]) => (how === 'upsert' && all.length > 2 ? { records: all } : { method: how, records: all }));
}

/** Random records: each has its key, or `_id`, and some of the columns. */
function record(table: Table, rows: readonly Row[]): fc.Arbitrary<Members> {
  const key = table.columns.filter(({ name }) => table.key.includes(name));
  const others = table.columns.filter(({ name }) => !table.key.includes(name));
  const id = idColumn(table);
  const entry = (column: Column, name = column.name): fc.Arbitrary<Entry> =>
    (isUnique(table, column.name) ? keyValue(column, rows) : value(column)).map((sent) => [name, sent]);
  const needed = others.filter((column) => column.notNull && column.default === null);
  const some = fc.oneof(
    fc.subarray(others),
    fc.subarray(others.filter((column) => !needed.includes(column))).map((more) => [...needed, ...more]),
  );
  const odds = fc.integer({ min: 0, max: 39 });
  return fc.tuple(fc.subarray(key), some, odds).chain(([lessKey, rest, odd]) => {
    const byId = id !== undefined && odd % 4 === 0;
    const whole = byId ? [entry(id, '_id')] : key.map((column) => entry(column));
    const keyed = odd === 1 ? lessKey.map((column) => entry(column)) : whole;
    const strange: fc.Arbitrary<Entry>[] = [
      ...(odd === 2 ? [nasty.map((sent): Entry => ['no such', sent])] : []),
      ...(odd === 3 || odd === 5 ? [fc.constantFrom<Entry>(['_id', number('1')], ['_id', '3'])] : []),
    ];
    return fc.tuple(...keyed, ...rest.map((column) => entry(column)), ...strange).map((all) => object(...all));
  });
}

/** Two records in either order: one gives up its value of the unique column, the other takes it. */
function trade(table: Table, rows: readonly Row[]): fc.Arbitrary<readonly Members[]> {
  const unique = table.columns.find(({ name }) => name === table.unique);
  const any = fc.array(record(table, rows), { minLength: 1, maxLength: 4 });
  if (unique === undefined || table.key.length === 0 || rows.length === 0) return any;
  return fc.tuple(fc.constantFrom(...rows), record(table, rows), keyCells(unique)).chain(([row, comer, free]) => {
    const place = cellOf(row, unique.name);
    if (place === null) return any;
    const key = table.columns.filter(({ name }) => table.key.includes(name));
    const sent = ({ name, kind }: Column, cell = cellOf(row, name) ?? '') =>
      spelled(kind, cell).map((one): Entry => [name, one]);
    const rest = comer.members.filter(([name]) => name !== unique.name);
    return fc
      .tuple(fc.tuple(...key.map((column) => sent(column)), sent(unique, free)), sent(unique, place), fc.boolean())
      .map(([moves, comes, first]) => {
        const both = [object(...moves), object(...rest, comes)];
        return first ? both : both.reverse();
      });
  });
}

/** Values that only MySQL can store are not written: NUL in text, times longer than a day, dates without a month. */
const onlyMysql = (text: string) =>
  text.includes('\0') || isLongTime(text) || (isPartialDate(text) && !text.startsWith('0000-00-00'));
const writable = nasty.filter((sent) => typeof sent !== 'string' || !onlyMysql(sent));

function value({ kind, notNull }: Column): fc.Arbitrary<Sent> {
  return fc.oneof(
    { weight: 40, arbitrary: cells(kind).chain((cell) => spelled(kind, cell)) },
    { weight: 2, arbitrary: cells(kind).chain((cell) => misses(kind, cell)) },
    { weight: 1, arbitrary: writable },
    { weight: notNull ? 1 : 4, arbitrary: fc.constant(null) },
  );
}

function keyValue(column: Column, rows: readonly Row[]): fc.Arbitrary<Sent> {
  const good = fc
    .oneof(
      pooled(column, rows).filter((cell) => column.kind.is !== 'varchar' || alone(cell)),
      keyCells(column),
    )
    .chain((cell) => spelled(column.kind, cell));
  return fc.oneof(
    { weight: 40, arbitrary: good },
    { weight: 1, arbitrary: settled },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

/** MySQL's collations consider `a` and `a ` equal, so only there such keys are refused with a 409. */
const alone = (text: string) => !/[\0- \u007f\u00a0\ufeff]/.test(text);
const settled = writable.filter((sent) => typeof sent !== 'string' || alone(sent));
