/** The calls that the tab API shows: the ones behind the current view, and small examples. */
import { isObject, type Json, type JsonObject, object } from '../ask/json.ts';
import type { Row } from '../ask/pages.ts';
import { flatParams, paramsOf, type Question, queryOf } from '../ask/question.ts';
import { actionUrl, dumpUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';

export const operations = ['search', 'download', 'counts', 'write'] as const;
export type Operation = (typeof operations)[number];

/** What an operation calls. */
export type Call =
  | { readonly kind: 'file'; readonly url: string }
  | { readonly kind: 'records' | 'result'; readonly action: string; readonly params: JsonObject };

/** The address of a call, without scheme and host. */
export const urlOf = (call: Call): string => (call.kind === 'file' ? call.url : actionUrl(call.action));

/** The operations on the table that this caller may use. */
export const operationsOf = (table: Table): readonly Operation[] =>
  operations.filter(
    (one) =>
      (one !== 'counts' || (table.canSummarize && countedColumn(table, []) !== null)) &&
      (one !== 'write' || table.canWrite),
  );

/**
 * @param by the columns that the page counts
 * @param record a record to write
 */
export function callOf(
  operation: Operation,
  table: Table,
  question: Question,
  by: readonly string[],
  record: JsonObject,
): Call {
  const { id } = table;
  const { sort: _, fields: __, distinct: ___, ...search } = paramsOf(id, question);
  switch (operation) {
    case 'search':
      return { kind: 'records', action: 'datastore_search', params: { ...paramsOf(id, question), limit: 100 } };
    case 'download':
      return { kind: 'file', url: dumpUrl(id) + queryOf({ format: 'csv', ...flatParams(question) }) };
    case 'counts':
      return {
        kind: 'result',
        action: 'datastore_aggregate',
        params: { ...search, by: countedColumn(table, by) ?? '' },
      };
    case 'write':
      return {
        kind: 'result',
        action: 'datastore_upsert',
        params: {
          resource_id: id,
          // The gateway upserts by the key alone.
          method: table.key.length === 0 ? 'insert' : 'upsert',
          records: [record],
          dry_run: true,
        },
      };
  }
}

/** A column whose values can be counted: the one that the page counts, or the first one outside the key. */
function countedColumn({ columns, key }: Table, by: readonly string[]): string | null {
  const possible = columns.filter(({ kind }) => kind !== 'other' && kind !== 'opaque').map(({ name }) => name);
  const others = possible.filter((name) => !key.includes(name));
  return [...by, ...others, ...possible][0] ?? null;
}

/**
 * The key and a few columns of a record, as an example for writing.
 * @param fields the row's columns
 * @param document the OpenAPI document, which knows the columns that can be written; null while it is loading
 */
export function exampleOf(
  { key }: Table,
  fields: readonly string[],
  row: Row | undefined,
  document: JsonObject | null,
): JsonObject {
  const schemas = Object.entries(object(object(document?.components).schemas));
  const written = object(object(schemas.find(([name]) => name.endsWith('.written'))?.[1]).properties);
  const others = fields.filter(
    (name) => !key.includes(name) && isObject(written[name]) && written[name].readOnly !== true,
  );
  const shown = [...key, ...others.slice(0, 2)];
  return Object.fromEntries(shown.map((name): [string, Json] => [name, row?.[fields.indexOf(name)] ?? null]));
}
