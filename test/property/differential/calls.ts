import fc from 'fast-check';
import { filters } from './filtering.ts';
import { search } from './finding.ts';
import type { Params } from './model/answer.ts';
import type { Row } from './model/filters.ts';
import { object, type Sent, write } from './sent.ts';
import type { Table } from './table.ts';
import { puts } from './writing.ts';

export interface Call {
  readonly action: 'datastore_search' | 'datastore_upsert' | 'datastore_records_delete';
  readonly params: Params;
  /** Uses the resource without `deleteAll`. */
  readonly guarded?: boolean;
}

/** A random call on a table that initially had these rows. */
export function call(table: Table, rows: readonly Row[]): fc.Arbitrary<Call> {
  const find = search(table, rows).map((params): Call => ({ action: 'datastore_search', params }));
  const put = puts(table, rows).map((params): Call => ({ action: 'datastore_upsert', params }));
  const chosen = fc.oneof(
    { weight: 20, arbitrary: filters(table, rows) },
    { weight: 1, arbitrary: fc.constantFrom<Sent>(null, 'x', [], '{}', object()) },
  );
  const cut = fc.tuple(chosen, fc.boolean(), fc.boolean()).map(([sent, guarded, isTrial]): Call => {
    const params = { filters: sent, ...(isTrial ? { dry_run: true } : {}) };
    return { action: 'datastore_records_delete', params, guarded };
  });
  return fc.oneof({ weight: 6, arbitrary: find }, { weight: 4, arbitrary: put }, { weight: 1, arbitrary: cut });
}

/** The name of the resource that a call uses. */
export const resourceOf = (table: Table, { guarded }: Call): string => (guarded ? `${table.name} guarded` : table.name);

/** The body of a call. */
export const body = (table: Table, call: Call): string =>
  write(object(['resource_id', resourceOf(table, call)], ...Object.entries(call.params)));
