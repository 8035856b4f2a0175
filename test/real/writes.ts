import { stringify } from 'lossless-json';
import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';
import { type RealRecord, search, succeed } from './api.ts';
import { resourceId } from './configuration.ts';
import { type Copy, changeable, copyOf, inOrderOfReference, writable } from './copies.ts';
import type { RealDatabase } from './databases.ts';
import { quote } from './print.ts';

/** Columns that Sakila's BEFORE INSERT triggers set to the current time, whatever is sent. */
const triggered: Readonly<Record<string, string>> = {
  customer: 'create_date',
  payment: 'payment_date',
  rental: 'rental_date',
};
/** The column with ON UPDATE CURRENT_TIMESTAMP. */
const touched = 'last_update';

/** Writes a record to every base table in every way, and deletes it again. Existing records are not changed. */
export async function writeEverywhere(gateway: TestGateway, real: RealDatabase): Promise<void> {
  const copies: Copy[] = [];
  for (const table of inOrderOfReference(real.tables)) {
    const copy = await copyOf(gateway, real, table, copies);
    await insert(gateway, real, copy, 'insert');
    copies.push(copy);
  }
  for (const copy of copies) await change(gateway, real, copy);
  for (const copy of copies.toReversed()) await remove(gateway, real, copy);
  for (const copy of copies) await insert(gateway, real, copy, 'upsert');
  for (const copy of copies.toReversed()) await remove(gateway, real, copy);
}

async function insert(gateway: TestGateway, real: RealDatabase, copy: Copy, method: 'insert' | 'upsert') {
  const { table, record } = copy;
  const params = { resource_id: resourceId(real, table), method, records: [record] };
  const unwritable = table.columns.find((column) => column.required && !writable(table).includes(column.name));
  if (unwritable !== undefined) {
    const answer = await gateway.call('datastore_upsert', stringify(params));
    const error = {
      records: [`null value in column "${unwritable.name}" violates not-null constraint`],
      records_row: 0,
      records_field: unwritable.name,
      __type: 'Validation Error',
    };
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([409, error]);
    return insertBySql(real, copy);
  }
  await succeed(gateway, 'datastore_upsert', params);
  await holds(gateway, real, copy, record, triggered[table.name]);
}

/** The same copy by SQL, for a table that the API can update and delete from, but not insert into. */
async function insertBySql(real: RealDatabase, { table, key }: Copy): Promise<void> {
  const names = table.columns.map((column) => quote(real, column.name));
  const values = table.columns.map(({ name }) => (name in key ? String(key[name]) : quote(real, name)));
  const from = quote(real, table.name);
  const order = table.key.map((name) => quote(real, name));
  await real.database.exec(
    `INSERT INTO ${from} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from} ORDER BY ${order.join(', ')} LIMIT 1`,
  );
}

/** Updates the whole record with one value changed, then upserts a single value. */
async function change(gateway: TestGateway, real: RealDatabase, copy: Copy): Promise<void> {
  const resource_id = resourceId(real, copy.table);
  const column = changeable(copy);
  const [first, second] = column?.values ?? [];
  const set = (value: unknown) => (column === null ? {} : { [column.name]: value });

  const updated = { ...copy.record, ...set(first) };
  await succeed(gateway, 'datastore_upsert', { resource_id, method: 'update', records: [updated] });
  await holds(gateway, real, copy, updated);

  const upserted = { ...updated, ...set(second) };
  await succeed(gateway, 'datastore_upsert', { resource_id, records: [{ ...copy.key, ...set(second) }] });
  await holds(gateway, real, copy, upserted, column?.name === touched ? undefined : touched);
}

async function remove(gateway: TestGateway, real: RealDatabase, { table, key }: Copy): Promise<void> {
  const which = { resource_id: resourceId(real, table), filters: key };
  await succeed(gateway, 'datastore_records_delete', which);
  expect([table.name, (await search(gateway, which)).total]).toEqual([table.name, '0']);
}

/** @param but a column that the database sets by itself */
async function holds(gateway: TestGateway, real: RealDatabase, { table, key }: Copy, record: RealRecord, but?: string) {
  const fields = writable(table).filter((name) => name !== but);
  const { records } = await search(gateway, { resource_id: resourceId(real, table), fields, filters: key });
  const shown = (one: RealRecord) => fields.map((name) => `${name}: ${stringify(one[name] ?? null)}`);
  expect([table.name, records.map(shown)]).toEqual([table.name, [shown(record)]]);
}
