import { stringify } from 'lossless-json';
import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';
import { type RealRecord, search } from './api.ts';
import { resourceId } from './configuration.ts';
import type { RealDatabase, RealTable } from './databases.ts';
import { printed } from './print.ts';
import { inOrder, typeOf, unordered } from './types.ts';

/** Small enough that large tables take many pages, large enough that the test is fast. */
const pageSize = 2000;

/**
 * Reads a resource and compares every cell with the output of the server's client.
 * @param count the expected `count(*)`; null if it is unknown
 * @param whole whether to read all pages, or only the first
 */
export async function compare(
  gateway: TestGateway,
  real: RealDatabase,
  table: RealTable,
  { count, whole }: { readonly count: string | null; readonly whole: boolean },
) {
  const resource_id = resourceId(real, table);
  const types = table.columns.map((column) => typeOf(table, column));
  const names = table.columns.map((column) => column.name);
  const id = names.indexOf(idOf(table) ?? '');
  const fields = id < 0 ? names : ['_id', ...names];
  const members = fields.map((name) => `${stringify(name)}:`);
  const rows = (await printed(real, table, whole ? null : pageSize)).map((row) => {
    const cells = types.map(({ json }, at) => (row[at] === null ? 'null' : json(row[at] ?? '')));
    const shown = id < 0 ? cells : [cells[id], ...cells];
    return `{${members.map((member, at) => `${member}${shown[at]}`).join(',')}}`;
  });
  const total = count ?? String(rows.length);
  const expected = whole ? Number(total) : Math.min(Number(total), pageSize);
  expect([resource_id, rows.length]).toEqual([resource_id, expected]);

  const wire = names.map((name, at) => ({ id: name, type: types[at]?.wire }));
  for (let offset = 0; offset === 0 || (whole && offset <= rows.length); offset += pageSize) {
    const params = { resource_id, fields, limit: pageSize, offset, include_total: offset === 0 };
    const page = await search(gateway, params);
    const shown = page.records.map(line);
    expect([resource_id, offset, shown]).toEqual([resource_id, offset, rows.slice(offset, offset + pageSize)]);
    if (offset > 0) continue;
    expect([resource_id, page.total]).toEqual([resource_id, total]);
    expect([resource_id, page.fields]).toEqual([resource_id, id < 0 ? wire : [{ id: '_id', type: 'int' }, ...wire]]);
  }
}

/** The column that is also shown as `_id`: the primary key, if it is a single integer. */
export function idOf({ key, columns, isView }: RealTable): string | undefined {
  const [only, ...others] = columns.filter((column) => key.includes(column.name));
  return !isView && others.length === 0 && only !== undefined && /int/.test(only.type) ? only.name : undefined;
}

function line(record: RealRecord): string | undefined {
  const value = record[unordered];
  return stringify(typeof value === 'string' ? { ...record, [unordered]: inOrder(value) } : record);
}
