/** Pure. Judges whether a column is private, by its name, its comment and its values. */
import type { CatalogTable } from '../model/catalog.ts';
import type { Column } from '../model/table.ts';
import { type Privacy, privacyOf } from './private.ts';

/** A map key for a table: its schema and name as one string. */
export const tableKey = ({ schema, name }: { readonly schema: string | null; readonly name: string }): string =>
  JSON.stringify([schema, name]);

/** What the catalogue does not tell about columns: their comments, and what a sample of their values suggests. */
export interface Known {
  readonly notes?: ReadonlyMap<string, string> | undefined;
  readonly privacy?: ReadonlyMap<string, Privacy> | undefined;
}

/** Judges a table's column. */
export type PrivacyOf = (table: CatalogTable, column: Column) => Privacy | null;

/** Judges a column by its name, its comment and a sample of its values. If the name suggests a secret, that alone decides. */
export function privacyIn(table: CatalogTable, { name, type }: Column, { notes, privacy }: Known = {}): Privacy | null {
  const isReference = table.foreignKeys.some((key) => key.columns.includes(name));
  const isKey = table.primaryKey.includes(name);
  const byName = privacyOf({ name, table: table.name, comment: notes?.get(name) ?? '', type, isReference, isKey });
  return byName === 'secret' ? byName : (privacy?.get(name) ?? byName);
}
