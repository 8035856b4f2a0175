import type { ResourceSettings } from '../config/assemble.ts';
import type { CatalogTable } from '../model/catalog.ts';
import type { About, Column } from '../model/table.ts';
import { type Complain, rolesOf } from './roles.ts';

/** A table's metadata for a caller that may read `columns`. It omits indexes over hidden columns, whose names would reveal those columns. */
export function about(
  settings: ResourceSettings,
  table: CatalogTable,
  columns: readonly Column[],
  complain: Complain,
): About {
  const { title, description, aliases, metadata } = settings;
  const isVisible = (name: string) => columns.some((column) => column.name === name);
  return {
    ...{ title, description, aliases, metadata },
    roles: rolesOf(settings, columns, complain),
    indexes: table.indexes.filter((index) => index.columns.every(isVisible)),
    hides: !table.columns.every(({ name }) => isVisible(name)),
  };
}
