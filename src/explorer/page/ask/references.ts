/** Where references between tables lead. */
import { filtersOf } from './conditions.ts';
import type { Json, JsonObject } from './json.ts';
import { queryOf } from './question.ts';
import { tableUrl } from './site.ts';
import type { Reference } from './table.ts';

/** A single column's reference. */
export const referenceOf = (references: readonly Reference[], field: string): Reference | undefined =>
  references.find(({ fields }) => fields.length === 1 && fields[0] === field);

/** The record that a value refers to, with its label; null until the label is loaded. */
export type Referred = (value: Json) => { readonly href: string; readonly label: string | null };

/** The address of the record that this column's value refers to. */
export const urlOf = ({ resource, to: [field = ''] }: Reference, value: Json): string =>
  recordUrl(resource, filtersOf([{ field, op: 'eq', value }]));

/** The filters that find the record that this one refers to; null if it refers to none. */
export const filtersTo = ({ fields, to }: Reference, record: JsonObject): JsonObject | null =>
  filtersOn(to, fields, record);

/** The filters that find the records that refer to this one; null if none can. */
export const filtersFrom = ({ fields, to }: Reference, record: JsonObject): JsonObject | null =>
  filtersOn(fields, to, record);

/** A NULL refers to nothing. */
function filtersOn(fields: readonly string[], from: readonly string[], record: JsonObject): JsonObject | null {
  const values = from.map((field): Json => record[field] ?? null);
  if (values.includes(null)) return null;
  return filtersOf(fields.map((field, at) => ({ field, op: 'eq', value: values[at] ?? null })));
}

/** A record's address. */
export const recordUrl = (resource: string, row: JsonObject): string => tableUrl(resource) + queryOf({ row });

/** The address of the records that match the filters. */
export const recordsUrl = (resource: string, filters: JsonObject): string => tableUrl(resource) + queryOf({ filters });
