/** The layers of the explorer's map: files of GeoJSON that are read at the start, or refused. */
import { expect, test } from 'vitest';
import { complaints, minimalYaml, settings } from '../../support/loading.ts';

const yaml = `${minimalYaml}
explorer: { map: { layers: [{ file: a.geojson, title: Districts }] } }`;
const files = (value: unknown) => ({ '/a.geojson': typeof value === 'string' ? value : JSON.stringify(value) });
const feature = (geometry: unknown) => ({ type: 'Feature', properties: { secret: 1 }, geometry });
const ring = [
  [5, 50],
  [6.1234567, 50, 120],
  [5, 50],
];

test('the lines of a file are kept, and nothing else of it', () => {
  const collection = {
    type: 'FeatureCollection',
    features: [
      feature({ type: 'Polygon', coordinates: [ring] }),
      feature({ type: 'MultiPolygon', coordinates: [[ring], [ring]] }),
      feature({ type: 'GeometryCollection', geometries: [{ type: 'LineString', coordinates: ring }] }),
      feature({ type: 'MultiLineString', coordinates: [ring] }),
      feature(null),
    ],
  };
  const { layers } = settings(yaml, {}, files(collection)).explorer.map;
  expect(layers).toEqual([
    { title: 'Districts', name: expect.stringMatching(/^layer\.[0-9a-f]{8}\.json$/), lines: expect.any(String) },
  ]);
  expect(JSON.parse(layers[0]?.lines ?? '')).toEqual(Array(5).fill([5, 50, 6.12346, 50, 5, 50]));
});

test.each([
  [feature({ type: 'Point', coordinates: [5, 50] }), 'it has a Point'],
  [{ features: [] }, 'it has an object without a type'],
  [{ type: 'FeatureCollection' }, 'it has an object without its list'],
  [
    { type: 'LineString', coordinates: [[3_400_000, 5_600_000]] },
    'it has the position [3400000,5600000], which is not in degrees (WGS 84)',
  ],
  [{ type: 'LineString', coordinates: [['5', 50]] }, 'it has the position ["5",50], which is not in degrees (WGS 84)'],
  ['{"type": ', 'it is no JSON'],
  [`"${'x'.repeat(1_000_000)}"`, 'it has 1000002 bytes'],
])('%j', (value, why) => {
  expect(complaints(yaml, {}, files(value))).toEqual([
    `explorer.map.layers[0].file (/my.yaml:5:31) must be a file of GeoJSON with lines or polygons, at most 1MB; ${why}, got: "a.geojson"`,
  ]);
});

test('a file that is not there, and settings that are wrong', () => {
  expect(complaints(yaml).join()).toContain('it cannot be read, got: "a.geojson"');
  expect(complaints(`${minimalYaml}\nexplorer: { map: { layers: [{ title: Districts }] } }`).join()).toContain(
    'layers[0].file',
  );
  for (const url of [
    'https://tiles.example.org/{z}/{x}.png',
    'https://a;b/{z}/{x}/{y}',
    'tiles/{z}/{x}/{y}',
    'https://{z}.example.org/{x}/{y}',
  ])
    expect(
      complaints(`${minimalYaml}\nexplorer: { map: { tiles: { url: "${url}", attribution: A } } }`).join(),
    ).toContain('must be an https URL with {z}, {x} and {y}');
});
