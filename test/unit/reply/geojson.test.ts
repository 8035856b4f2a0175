import { expect, test } from 'vitest';
import { datastoreDump } from '../../../src/actions/datastore_dump.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { Type } from '../../../src/model/table.ts';
import type { Cell } from '../../../src/model/value.ts';
import { geojson } from '../../../src/reply/formats/geojson.ts';
import { encoder } from '../../../src/values/encode.ts';
import { bounds, column, films, int4, resource, text, withColumns } from '../../support/table.ts';

const decimal: Type = { kind: 'decimal', precision: 38, scale: 20, nan: true };
const json: Type = { kind: 'json', binary: true, finds: 'numeric' };
const columns = (
  [
    ['_id', int4],
    ['name', text],
    ['doc', json],
    ['lon', decimal],
    ['name', text],
    ['lon', decimal],
    ['lat', text],
  ] as const
).map(([id, type]) => ({ id, type: 'text', encoder: encoder(type) }));
const format = geojson.format(
  columns,
  columns.map((one) => one.encoder),
);
const feature = (longitude: Cell, latitude: Cell) =>
  format.row(['7', 'a"b', '{"x": 1.10}', longitude, 'a"b', longitude, latitude]);
const point = (longitude: Cell, latitude: Cell) => JSON.parse(feature(longitude, latitude)).geometry?.coordinates;

test('a feature is a line, with the digits of the database and every shown column once', () => {
  expect(feature('-7.12345678901234567890', '46.9480')).toBe(
    '\n{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[-7.12345678901234567890,46.9480]},' +
      '"properties":{"_id":7,"name":"a\\"b","doc":{"x": 1.10},"lon":-7.12345678901234567890}}',
  );
  const file = format.head + [feature('1', '2'), feature('3', '4')].join(format.between) + format.tail;
  expect(JSON.parse(file)).toMatchObject({ type: 'FeatureCollection', features: [{ id: 7 }, { id: 7 }] });
  expect(JSON.parse(format.head + format.tail)).toEqual({ type: 'FeatureCollection', features: [] });
});

test('coordinates at the edge of the world are a point', () => {
  expect([point('180', '-90'), point('-180.000', '9e1')]).toEqual([
    [180, -90],
    [-180, 90],
  ]);
});

test.each<[Cell, Cell]>([
  [null, '1'],
  ['1', null],
  ['180.0000001', '1'],
  ['1', '-90.5'],
  ['NaN', '1'],
  ['1', 'Infinity'],
  ['1', ''],
  ['1', '47,1'],
  ['1', '047'],
  ['1', '0x10'],
])('a record at %j, %j has no geometry', (longitude, latitude) => {
  expect(JSON.parse(feature(longitude, latitude)).geometry).toBeNull();
});

test('without _id, a feature has no id', () => {
  const named = columns.slice(1);
  const encoders = named.map((one) => one.encoder);
  expect(JSON.parse(geojson.format(named, encoders).row(['a', '{}', '1', 'a', '1', '2']))).not.toHaveProperty('id');
});

/** The names of the columns that a download reads from a table with these columns, or the details of its refusal. */
function read(query: string, ...names: readonly string[]): unknown {
  const plain = withColumns(
    films,
    names.map((name) => column(name, decimal)),
  );
  const coordinates = names.includes('x') ? (['x', 'y'] as const) : null;
  const table = { ...plain, about: { ...plain.about, roles: { ...plain.about.roles, coordinates } } };
  try {
    const { columns } = datastoreDump('films', [...new URLSearchParams(query)], bounds).plan(resource(table), null);
    return columns.map(({ label }) => label).join(' ');
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'parameters') return error.details;
    throw error;
  }
}

test('the geometry comes from the named columns, else from those of the resource', () => {
  expect(read('format=geojson', 'a', 'y', 'x')).toBe('a y x x y');
  expect(read('format=geojson&fields=a', 'a', 'x', 'y')).toBe('a x y');
  expect(read('format=geojson&fields=a&geometry="b,c",a', 'a', 'b,c', 'x', 'y')).toBe('a b,c a');
  expect(read('format=csv&geometry=b,a', 'a', 'b')).toBe('a b');
});

test('a geometry that cannot be is refused by its name', () => {
  const none = 'This resource has no columns of longitude and latitude. Name them: geometry=LON,LAT';
  expect(read('format=geojson', 'a', 'lon', 'latitude')).toEqual({ geometry: [none] });
  expect(read('format=geojson&geometry=a', 'a')).toEqual({ geometry: ['must be two names, LON,LAT, got: 1'] });
  expect(read('format=geojson&geometry=a,names', 'a', 'name')).toEqual({
    geometry: ['invalid value "names", did you mean "name"?'],
  });
});
