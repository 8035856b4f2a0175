/** Which columns name a record or its place if the configuration does not say so. */
import { expect, test } from 'vitest';
import { rolesOf } from '../../../src/tables/roles.ts';
import { minimalYaml, settings } from '../../support/loading.ts';
import { column, int4, text } from '../../support/table.ts';

const rolesIn = (...names: readonly string[]) => {
  const films = settings(minimalYaml).resources.get('films');
  if (films === undefined) throw new Error('no films');
  const columns = names.map((name) => column(name, /^(a|name|titel|\w+_name)$/.test(name) ? text : int4));
  const complained: string[] = [];
  const { label, coordinates } = rolesOf(films, columns, (_, says) => complained.push(says));
  expect(complained).toEqual([]);
  return [label, coordinates];
};

test.each([
  [['a', 'Lat', 'LNG'], null, ['LNG', 'Lat']],
  [['x_WGS84', 'y_WGS84', 'titel'], 'titel', ['x_WGS84', 'y_WGS84']],
  [['lon', 'lat', 'longitude', 'latitude'], null, ['longitude', 'latitude']],
  [['name', 'titel', 'lon', 'latitude'], 'name', null],
  [['actor_name', 'film_name'], 'film_name', null],
  [['actor_name', 'a'], null, null],
])('%j', (names, label, coordinates) => {
  expect(rolesIn(...names)).toEqual([label, coordinates]);
});
