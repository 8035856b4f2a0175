/** What `datastore_info` says about a table. None of it depends on the search. */
import { call } from './call.ts';
import { type Column, columnsOf } from './columns.ts';
import { type Json, type JsonObject, list, object, text, texts } from './json.ts';
import { site } from './site.ts';

export interface Table {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The names of the key columns; empty if the table has no key. */
  readonly key: readonly string[];
  readonly searched: readonly string[];
  readonly canSummarize: boolean;
  readonly canWrite: boolean;
  /** Whether some token may write, so that signing in may help this caller. */
  readonly takesWrites: boolean;
  /** Whether the configuration hides any of the table's columns. */
  readonly hidesColumns: boolean;
  /** All columns except the binary ones. `_id` is listed only if it is the key column itself; otherwise it repeats another column. */
  readonly columns: readonly Column[];
  readonly binary: readonly Column[];
  /** The metadata as the API returns it: publisher, licence, keywords, and more. */
  readonly about: JsonObject;
  /** The column that names a record; null if no column does. */
  readonly label: string | null;
  /** The columns with longitude and latitude. */
  readonly coordinates: readonly [string, string] | null;
  /** This table's foreign keys, and those of other tables that refer to this one. */
  readonly references: readonly Reference[];
  readonly referencedBy: readonly Reference[];
}

export interface Reference {
  /** The referring columns. */
  readonly fields: readonly string[];
  /** The other table: the referenced one, or in `referencedBy` the referring one. */
  readonly resource: string;
  readonly title: string;
  /** The columns that are referred to, in the order of `fields`. */
  readonly to: readonly string[];
}

/** The number of records that match a search. */
export interface Total {
  readonly count: number;
  readonly is: 'exact' | 'estimated' | 'at least';
}

export async function readTable(id: string, signal: AbortSignal): Promise<Table> {
  const request = { resource_id: id, include_meta: false };
  const { result } = await call('datastore_info', request, { signal });
  const all = columnsOf(result.fields);
  const key = texts(result.key);
  const { aggregate, write } = object(result.may);
  const access = object(result.access);
  const about = object(result.about);
  const [longitude, latitude] = texts(about.coordinates);
  const hasOwnId = key.includes('_id');
  const idColumn = hasOwnId ? columnsOf([{ id: '_id', type: 'int' }]) : [];
  return {
    id,
    title: text(result.title) || id,
    description: text(result.description),
    key,
    searched: texts(result.searched),
    canSummarize: aggregate !== false,
    canWrite: write === true && site.edits,
    takesWrites: access.write !== 'none' && site.edits,
    hidesColumns: access.columns === 'some',
    columns: [...idColumn, ...all.filter(({ type }) => type !== 'bytea')],
    binary: all.filter(({ type }) => type === 'bytea'),
    about,
    label: text(about.label) || null,
    coordinates: longitude === undefined || latitude === undefined ? null : [longitude, latitude],
    references: references(result.references),
    referencedBy: references(result.referenced_by),
  };
}

/** When the table last changed, as the API writes it; '' if it is unknown. */
export async function readLastChange(id: string, signal: AbortSignal): Promise<string> {
  const request = { resource_id: id, include_meta: false, include_fields_schema: false };
  const { result } = await call('datastore_info', request, { signal });
  return text(object(result.about).last_change);
}

function references(value: Json | undefined): readonly Reference[] {
  return list(value).map((one) => {
    const { fields, resource_id, title, to } = object(one);
    return { fields: texts(fields), resource: text(resource_id), title: text(title), to: texts(to) };
  });
}
