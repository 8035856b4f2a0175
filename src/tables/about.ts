import type { ResourceSettings } from '../config/assemble.ts';
import type { CatalogTable } from '../model/catalog.ts';
import type { About, Column } from '../model/table.ts';

/**
 * Metadata of a table for a caller that may read `columns`. An index over a hidden column is left out: its name would reveal the
 * column.
 */
export function about(settings: ResourceSettings, table: CatalogTable, columns: readonly Column[]): About {
  const { title, description, aliases } = settings;
  const isVisible = (name: string) => columns.some((column) => column.name === name);
  return {
    ...{ title, description, aliases },
    indexes: table.indexes.filter((index) => index.columns.every(isVisible)),
    hides: !table.columns.every(({ name }) => isVisible(name)),
  };
}
