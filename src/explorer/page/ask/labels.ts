/** The labels of the records that others refer to: a cell shows `Germany` instead of its code `DE`. */
import { call } from './call.ts';
import { filtersOf } from './conditions.ts';
import { type Json, list, object, textOf } from './json.ts';
import { otherTable } from './other-table.ts';
import type { Reference } from './table.ts';

/** The label of the record that a value of this column refers to; null if it has none, or is not loaded. */
export type LabelOf = (field: string, value: Json) => string | null;

/** Labels that are kept of one column. */
const maxLabels = 1000;

/** By column and value; null: asked for, and there is none yet. */
export type KnownLabels = Map<string, Map<string, string | null>>;

/** The values of a column whose labels have not been asked for. */
export function unknownValues(known: KnownLabels, field: string, values: readonly Json[]): readonly Json[] {
  const labels = known.get(field);
  const byText = new Map(values.map((value) => [textOf(value), value]));
  return [...byText].flatMap(([text, value]) => (text === null || labels?.has(text) ? [] : [value]));
}

/**
 * Reads the labels of some values by one search, and adds them to the known ones. The oldest are forgotten. After an error the values stay known
 * without labels, so that a busy gateway is not asked again and again.
 */
export async function readLabels(known: KnownLabels, { fields, resource, to }: Reference, values: readonly Json[]) {
  const [[field = ''], [key = '']] = [fields, to];
  const labels = known.get(field) ?? new Map<string, string | null>();
  known.set(field, labels);
  for (const value of values) labels.set(textOf(value) ?? '', null);
  const { label } = await otherTable(resource);
  if (label === null || label === key) return;
  const { signal } = new AbortController();
  const filters = filtersOf([{ field: key, op: 'in', value: values }]);
  const request = { resource_id: resource, filters, fields: [key, label], limit: values.length, include_total: false };
  const { result } = await call('datastore_search', request, { signal });
  for (const record of list(result.records).map(object))
    labels.set(textOf(record[key] ?? null) ?? '', textOf(record[label] ?? null));
  for (const oldest of [...labels.keys()].slice(0, Math.max(0, labels.size - maxLabels))) labels.delete(oldest);
}
