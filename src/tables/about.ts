import type { ResourceSettings } from '../config/assemble.ts';
import type { CatalogTable } from '../model/catalog.ts';
import type { About, Column } from '../model/table.ts';
import { type Complain, rolesOf } from './roles.ts';

/**
 * Metadata of a table for a caller that may read `columns`. An index over a hidden column is left out: its name would reveal the
 * column.
 */
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
