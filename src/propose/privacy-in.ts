/** Pure. */
import type { CatalogTable } from '../model/catalog.ts';
import type { Column } from '../model/table.ts';
import { type Privacy, privacyOf } from './private.ts';

/** One text for the schema and the name of a table. */
export const tableKey = ({ schema, name }: { readonly schema: string | null; readonly name: string }): string =>
  JSON.stringify([schema, name]);

/** What the name of a column says, in its table. */
export function privacyIn(table: CatalogTable, { name, type }: Column): Privacy | null {
  const keys = [
    table.primaryKey,
    ...table.uniqueKeys.map((key) => key.columns),
    ...table.foreignKeys.map((key) => key.columns),
  ];
  // A unique e-mail address identifies a person all the same: only keys of numbers, and foreign keys, refer.
  const isForeign = table.foreignKeys.some((key) => key.columns.includes(name));
  const isReference =
    isForeign || table.primaryKey.includes(name) || (type.kind === 'int' && keys.some((key) => key.includes(name)));
  return privacyOf({ name, type, isReference });
}
