import { isList, isMembers, type Sent, write } from '../sent.ts';
import type { Cell, Column, Table } from '../table.ts';
import { type Expected, type Params, Refused, succeeds } from './answer.ts';
import { forRecord } from './convert.ts';
import { cellOf, matcher, type Row } from './filters.ts';
import { named } from './names.ts';

export interface Changed {
  readonly answer: Expected;
  readonly rows: readonly Row[];
}

type Method = 'insert' | 'update' | 'upsert';
interface Put {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly row: number;
}

/** Applies `datastore_upsert`: the records one after another, all or none. Throws `Refused`. */
export function upsert(table: Table, rows: readonly Row[], params: Params): Changed {
  const method = methodOf(params.method);
  const records = params.records === undefined || params.records === null ? [] : params.records;
  if (!isList(records)) throw new Refused({ records: null });
  const puts = records.map((record, row) => put(table, method, record, row));
  const after = puts.reduce<readonly Row[]>((state, one) => apply(table, method, state, one), rows);
  const result: [string, string][] = [['calculate_record_count', '"background"']];
  if (params.method !== undefined) result.push(['method', write(params.method)]);
  result.push(['resource_id', write(table.name)]);
  if (records.length === 0) result.push(['records', '[]']);
  return { answer: succeeds('datastore_upsert', result), rows: after };
}

/** Applies `datastore_records_delete`. `deleteAll` is the setting of the resource. */
export function remove(
  table: Table,
  resource: string,
  rows: readonly Row[],
  params: Params,
  deleteAll: boolean,
): Changed {
  const { filters } = params;
  if (filters === undefined) throw new Refused({ filters: 'Missing value' });
  if (filters === null || !isMembers(filters)) throw new Refused({ filters: 'Must be a dict' });
  const found = matcher(table, filters);
  if (found.all && !deleteAll) throw new Refused({ filters: null });
  const isTrial = params.dry_run === true;
  const result: [string, string][] = [
    ['resource_id', write(resource)],
    ['filters', write(filters)],
    ...(isTrial ? [['dry_run', 'true'] as [string, string]] : []),
  ];
  const remaining = isTrial ? rows : rows.filter((row) => !found.fits(row));
  return { answer: succeeds('datastore_records_delete', result), rows: remaining };
}

function methodOf(sent: Sent | undefined): Method {
  if (sent === undefined || sent === null) return 'upsert';
  if (sent === 'insert' || sent === 'update' || sent === 'upsert') return sent;
  throw new Refused({ method: "Value must be one of ['upsert', 'insert', 'update']" });
}

/** One record by column names; `_id` is replaced by its column. */
function put(table: Table, method: Method, record: Sent, row: number): Put {
  if (record === null || !isMembers(record)) throw new Refused({ records: null }, row);
  const found = record.members.map(([name, value]) => ({ sent: name, value, named: named(table, name) }));
  const strange = (one: (typeof found)[number]) =>
    one.named === undefined || (method === 'insert' && one.sent === '_id');
  if (found.some(strange)) throw new Refused({ [method === 'insert' ? 'records' : 'fields']: null }, row);
  if (method !== 'insert' && table.key.length === 0) throw new Refused({ table: null });
  const cells = new Map<string, Cell>();
  for (const { value, named: one } of found) {
    if (one === undefined) continue;
    const { name, kind, notNull } = one.column;
    const converted = forRecord(kind, value);
    if (typeof converted === 'string' || (notNull && converted.cell === null))
      throw new Refused({ records: null }, row);
    if (cells.has(name) && cells.get(name) !== converted.cell) throw new Refused({ records: null }, row);
    cells.set(name, converted.cell);
  }
  if (method !== 'insert' && !table.key.every((name) => cells.has(name))) throw new Refused({ key: null }, row);
  return { cells, row };
}

function apply(table: Table, method: Method, rows: readonly Row[], { cells, row }: Put): readonly Row[] {
  const keyed = table.key.length > 0 && table.key.every((name) => (cells.get(name) ?? null) !== null);
  const at = keyed ? rows.findIndex((old) => table.key.every((name) => cellOf(old, name) === cells.get(name))) : -1;
  const old = rows[at];
  if (method === 'update' && old === undefined) throw new Refused({ key: null }, row);
  const next = Object.fromEntries(table.columns.map((column) => [column.name, after(column, cells, old)]));
  if (table.columns.some((column) => column.notNull && cellOf(next, column.name) === null))
    throw new Refused({ records: null }, row);
  if (method === 'insert' && old !== undefined) throw new Refused({ records: null }, row);
  const { unique } = table;
  const value = unique === null ? null : cellOf(next, unique);
  if (unique !== null && value !== null && rows.some((other) => other !== old && cellOf(other, unique) === value))
    throw new Refused({ records: null }, row);
  return old === undefined ? [...rows, next] : rows.with(at, next);
}

function after(column: Column, cells: ReadonlyMap<string, Cell>, old: Row | undefined): Cell {
  const cell = cells.get(column.name);
  if (cell !== undefined) return cell;
  return old === undefined ? column.default : cellOf(old, column.name);
}
