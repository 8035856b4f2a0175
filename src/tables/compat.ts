import type { Catalog } from '../model/catalog.ts';
import type { Type } from '../model/table.ts';

/** The catalogue for `compat: "2.11"`: timestamps show no fraction of a second if it is zero. */
export function withoutMilliseconds(catalog: Catalog): Catalog {
  const withoutZeroFraction = (type: Type): Type =>
    type.kind === 'timestamp' && !type.zoned ? { ...type, least: 0 } : type;
  const tables = catalog.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, type: withoutZeroFraction(column.type) })),
  }));
  return { ...catalog, tables };
}
