import type { ResourceSettings } from '../config/assemble.ts';
import type { CatalogTable } from '../model/catalog.ts';
import type { About, Column } from '../model/table.ts';

/** What may be told of a table whose `columns` may be seen. An index over a hidden column would tell of it by its name. */
export function about({ aliases }: ResourceSettings, found: CatalogTable, columns: readonly Column[]): About {
  const isVisible = (name: string) => columns.some((column) => column.name === name);
  return {
    aliases,
    indexes: found.indexes.filter((index) => index.columns.every(isVisible)),
    hides: !found.columns.every(({ name }) => isVisible(name)),
  };
}
