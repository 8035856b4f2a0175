/** The columns with the longitude and latitude of records, for GeoJSON. */
import { invalid } from '../../model/errors.ts';
import type { Column, Table } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { column } from './columns.ts';
import { hint } from './hint.ts';

/** Names of the two columns, in lower case; the first pair that a table has is taken. */
const usualNames: readonly (readonly [longitude: string, latitude: string])[] = [
  ['longitude', 'latitude'],
  ['lon', 'lat'],
  ['lng', 'lat'],
  ['x_wgs84', 'y_wgs84'],
];

/**
 * Finds the columns of longitude and latitude: those that the request names, else a pair with a usual name.
 * @throws Refusal invalid, if a name is unknown or there is no such pair
 */
export function coordinates(names: readonly string[] | undefined, table: Table): readonly Column[] {
  if (names !== undefined) return names.map((name) => named(name, table));
  const columns = new Map(table.columns.map((column) => [column.label.toLowerCase(), column]));
  for (const [longitude, latitude] of usualNames) {
    const pair = [columns.get(longitude), columns.get(latitude)].filter((column) => column !== undefined);
    if (pair.length === 2) return pair;
  }
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
