/** What the page knows about a table that this one refers to. */
import { call } from './call.ts';
import { type Column, columnsOf } from './columns.ts';
import { list, object, text } from './json.ts';
import { token } from './token.ts';

export interface OtherTable {
  /** The column that names a record; null if there is none. */
  readonly label: string | null;
  readonly columns: readonly Column[];
  /** The indexed columns' names: counting their values is fast. */
  readonly indexed: ReadonlySet<string>;
}

/** The tables by token and id, because another caller may see other columns. */
const loads = new Map<string, Promise<OtherTable>>();

/** Describes another table. The description is read once, and again only after an error. */
export function otherTable(id: string): Promise<OtherTable> {
  const key = JSON.stringify([token(), id]);
  const load = loads.get(key) ?? readTable(id);
  loads.set(key, load);
  load.catch(() => loads.delete(key));
  return load;
}

async function readTable(id: string): Promise<OtherTable> {
  const { signal } = new AbortController();
  const { result } = await call('datastore_info', { resource_id: id, include_meta: false }, { signal });
  const indexed = list(result.fields)
    .map(object)
    .filter(({ schema }) => object(schema).is_index === true);
  return {
    label: text(object(result.about).label) || null,
    columns: columnsOf(result.fields),
    indexed: new Set(indexed.map((field) => text(field.id))),
  };
}
