/** Makes valid new records for every table from its catalogue: a copy of the first record with an unused key. */
import type { TestGateway } from '../support/gateway.ts';
import { type RealRecord, search } from './api.ts';
import { resourceId } from './configuration.ts';
import type { RealDatabase, RealTable } from './databases.ts';
import { quote } from './print.ts';

export interface Copy {
  readonly table: RealTable;
  readonly record: RealRecord;
  readonly key: RealRecord;
}

/** Geometry columns are only read. */
export const writable = (table: RealTable): readonly string[] =>
  table.columns.filter((column) => column.type !== 'geometry').map((column) => column.name);

/** The foreign keys that are part of a unique key. A copy refers to the copies of those tables, which makes its key unique. */
const references = ({ uniqueKeys, references: all }: RealTable) =>
  all.filter(({ column }) => uniqueKeys.some((key) => key.includes(column)));

/** The tables in an order in which each comes after those that its unique keys refer to. */
export function inOrderOfReference(tables: readonly RealTable[]): readonly RealTable[] {
  const ordered = new Set<RealTable>();
  const visit = (table: RealTable): void => {
    for (const { table: to } of references(table)) for (const parent of tables) if (parent.name === to) visit(parent);
    ordered.add(table);
  };
  for (const table of tables) if (!table.isView) visit(table);
  return [...ordered];
}

/** @param copies the copies in earlier tables, which are already in the database */
export async function copyOf(
  gateway: TestGateway,
  real: RealDatabase,
  table: RealTable,
  copies: readonly Copy[],
): Promise<Copy> {
  const { records } = await search(gateway, {
    resource_id: resourceId(real, table),
    fields: writable(table),
    ...{ limit: 1, include_total: false },
  });
  const record: Record<string, unknown> = { ...records[0] };
  for (const { column, table: parent, to } of references(table))
    record[column] = copies.find((copy) => copy.table.name === parent)?.record[to];
  for (const [first = '', ...others] of table.uniqueKeys) {
    const isNew = references(table).some(({ column }) => [first, ...others].includes(column));
    if (!isNew) record[first] = await unused(real, table, first);
  }
  return { table, record, key: Object.fromEntries(table.key.map((name) => [name, record[name]])) };
}

async function unused(real: RealDatabase, table: RealTable, name: string): Promise<unknown> {
  const type = table.columns.find((column) => column.name === name)?.type ?? '';
  if (!/int/.test(type)) return 'ZZZ';
  const [[last] = []] = await real.database.query(`SELECT max(${quote(real, name)}) FROM ${quote(real, table.name)}`);
  return Number(last) + 1;
}

/** A column that is in no key and no foreign key, with two values that it does not have; null if there is none. */
export function changeable({ table }: Copy): { readonly name: string; readonly values: readonly unknown[] } | null {
  const free = table.columns.filter(
    ({ name }) =>
      !table.uniqueKeys.some((key) => key.includes(name)) &&
      !table.references.some((reference) => reference.column === name),
  );
  const kinds = [
    { types: /char|^text$/, values: ['Ä1', 'Ä2'] },
    { types: /^(datetime|timestamp)$/, values: ['2001-02-03T04:05:06.000', '2002-03-04T05:06:07.000'] },
    { types: /int|^real$/, values: [7, 8] },
  ];
  for (const { types, values } of kinds) {
    const column = free.find(({ type }) => types.test(type));
    if (column !== undefined) return { name: column.name, values };
  }
  return null;
}
