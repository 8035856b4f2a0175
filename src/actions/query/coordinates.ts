/** The columns with the longitude and latitude of records, for GeoJSON. */
import { invalid } from '../../model/errors.ts';
import type { Column, Table } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { column } from './columns.ts';
import { hint } from './hint.ts';

/**
 * Finds the longitude and latitude columns: the ones that the request names, else the resource's own.
 * @throws Refusal invalid, if a name is unknown or there is no such pair
 */
export function coordinates(names: readonly string[] | undefined, table: Table): readonly Column[] {
  const labels = names ?? table.about.roles.coordinates;
  if (labels !== null) return labels.map((name) => named(name, table));
  throw invalid({
    geometry: ['This resource has no columns of longitude and latitude. Name them: geometry=LON,LAT'],
  });
}

function named(name: string, table: Table): Column {
  const found = column(table, name);
  if (found === undefined)
    throw invalid({ geometry: [`invalid value "${truncate(name.trim())}"${hint(name, table)}`] });
  return found;
}
