/** The mathematics of the explorer's map: where places are on the canvas, what is in view, cells and sizes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boundsOf,
  type Camera,
  cameraAt,
  fitted,
  moved,
  placeAt,
  pointOf,
  positionOf,
  wholeWorld,
  zoomed,
  zoomOf,
} from '../../../src/explorer/page/map/camera.ts';
import { cellParams, cellSizeFor, cellsOf, niceStep } from '../../../src/explorer/page/map/cells.ts';
import {
  type Bounds,
  conditionsIn,
  contains,
  overlap,
  rounded,
  wholeEarth,
} from '../../../src/explorer/page/map/places.ts';
import { project } from '../../../src/explorer/page/map/projections.ts';
import { legendValues, radiusOf } from '../../../src/explorer/page/map/sizes.ts';
import { tilesIn } from '../../../src/explorer/page/map/tiles.ts';

// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
if (!('isRawJSON' in JSON)) Object.assign(JSON, { isRawJSON: () => false });

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const size = { width: 1100, height: 640 };
const germany: Bounds = { west: 5.9, south: 47.3, east: 15, north: 55 };
const cameras: readonly Camera[] = [
  wholeWorld(size),
  fitted(germany, size),
  zoomed(wholeWorld(size), size, 3, [300, 200]),
];

test('a position is the same camera again, and another canvas shows the same place as large', () => {
  for (const camera of cameras) {
    const again = cameraAt(positionOf(camera), size);
    expect(again.shows).toBe(camera.shows);
    for (const part of ['x', 'y', 'scale'] as const) expect(again[part]).toBeCloseTo(camera[part], 6);
  }
  const berlin = { longitude: 13.4, latitude: 52.5, zoom: 12 };
  const small = cameraAt(berlin, { width: 300, height: 300 });
  expect(pointOf(small, { width: 300, height: 300 }, berlin).map(Math.round)).toEqual([150, 150]);
  expect(small.scale).toBeCloseTo(cameraAt(berlin, size).scale, 6);
  expect(cameraAt({ ...berlin, zoom: -5 }, size).scale).toBeGreaterThanOrEqual(wholeWorld(size).scale);
  expect(positionOf(cameraAt({ ...berlin, zoom: 99 }, size)).zoom).toBeLessThan(20);
});

test('tiles are those of web maps, fill the canvas, and are none from afar', () => {
  const url = 'https://tiles.example.org/{z}/{x}/{y}.png';
  const tiles = tilesIn(url, cameraAt({ longitude: 13.4, latitude: 52.5, zoom: 12 }, size), size);
  // As https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames computes it.
  expect(tiles.map((tile) => tile.url)).toContain('https://tiles.example.org/12/2200/1343.png');
  expect(tiles.every(({ side }) => Math.abs(side - 256) < 1)).toBe(true);
  expect(Math.min(...tiles.map(({ left }) => left))).toBeLessThanOrEqual(0);
  expect(Math.max(...tiles.map(({ left, side }) => left + side))).toBeGreaterThanOrEqual(size.width);
  expect(Math.max(...tiles.map(({ top, side }) => top + side))).toBeGreaterThanOrEqual(size.height);
  expect(tilesIn(url, wholeWorld(size), size)).toEqual([]);
});

test('the whole world is in view at first, and no zoom goes further', () => {
  const world = wholeWorld(size);
  expect(boundsOf(world, size)).toEqual(wholeEarth);
  expect(zoomOf(zoomed(world, size, 0.1, [5, 5]), size)).toBeCloseTo(1);
  for (const longitude of [-180, 180])
    expect(pointOf(world, size, { longitude, latitude: 0 })[0]).toBeGreaterThanOrEqual(17);
});

test('a point of the canvas and its place belong together', () => {
  const places = fc.record({ longitude: degrees(-179.9, 179.9), latitude: degrees(-84, 84) });
  fc.assert(
    fc.property(fc.constantFrom(...cameras), places, (camera, place) => {
      const found = placeAt(camera, size, pointOf(camera, size, place));
      expect(found?.longitude).toBeCloseTo(place.longitude, 6);
      expect(found?.latitude).toBeCloseTo(place.latitude, 6);
    }),
  );
});

test('outside of the world is no place', () => {
  expect(placeAt(wholeWorld(size), size, [1, 1])).toBeNull();
});

test.each([
  ['world', 180, 0, 2.706_63, 0],
  ['world', 0, 90, 0, -1.317_363],
  ['close', 180, 0, Math.PI, 0],
  ['close', 0, 60, 0, -1.316_958],
  ['close', 0, 90, 0, -3.141_36],
] as const)('%s draws %s, %s at %s, %s, as d3-geo does', (shows, longitude, latitude, x, y) => {
  expect(project(shows, { longitude, latitude })).toEqual([expect.closeTo(x, 4), expect.closeTo(y, 4)]);
});

test('an area that is fitted is in view, and not much more', () => {
  const camera = fitted(germany, size);
  const seen = boundsOf(camera, size);
  expect(contains(seen, germany)).toBe(true);
  expect(seen.north - seen.south).toBeLessThan(1.2 * (germany.north - germany.south));
  expect(camera.shows).toBe('close');
});

test('any area is fitted, also a single place and one at the pole', () => {
  const longitudes = fc.tuple(degrees(-180, 180), degrees(-180, 180)).map((both) => both.toSorted((a, b) => a - b));
  const latitudes = fc.tuple(degrees(-85, 85), degrees(-85, 85)).map((both) => both.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(longitudes, latitudes, ([west = 0, east = 0], [south = 0, north = 0]) => {
      const camera = fitted({ west, south, east, north }, size);
      expect([camera.x, camera.y, camera.scale].every(Number.isFinite)).toBe(true);
      const seen = boundsOf(camera, size);
      for (const [edge, inner] of [
        [seen.west, west],
        [seen.south, south],
        [-seen.east, -east],
        [-seen.north, -north],
      ] as const)
        expect(edge).toBeLessThanOrEqual(inner + 1e-6);
    }),
  );
});

test('zooming keeps the place under the pointer, also where the projection changes', () => {
  let camera = wholeWorld(size);
  const at = [690, 210] as const;
  const place = placeAt(camera, size, at);
  const kinds = new Set<string>();
  for (let step = 0; step < 20; step++) {
    camera = zoomed(camera, size, 1.5, at);
    kinds.add(camera.shows);
    const now = placeAt(camera, size, at);
    expect(now?.longitude).toBeCloseTo(place?.longitude ?? 0, 4);
    expect(now?.latitude).toBeCloseTo(place?.latitude ?? 0, 4);
  }
  expect([...kinds]).toEqual(['world', 'close']);
  expect(zoomOf(zoomed(camera, size, 2, at), size) / zoomOf(camera, size)).toBeCloseTo(2, 1);
});

test('the change of the projection keeps the scale at the centre', () => {
  const before = zoomed(fitted(germany, size), size, 0.3, [550, 320]);
  const after = zoomed(before, size, 1.0001, [550, 320]);
  expect(zoomOf(after, size) / zoomOf(before, size)).toBeCloseTo(1, 2);
});

test('the map is moved by pixels, and its centre stays in the world', () => {
  const camera = fitted(germany, size);
  const place = { longitude: 10, latitude: 50 };
  const [x, y] = pointOf(camera, size, place);
  expect(pointOf(moved(camera, [30, -20]), size, place)).toEqual([
    expect.closeTo(x - 30, 6),
    expect.closeTo(y + 20, 6),
  ]);
  const far = moved(camera, [1e9, -1e9]);
  expect(placeAt(far, size, [550, 320])?.longitude).toBeCloseTo(180);
  expect(boundsOf(far, size).north).toBe(90);
});

test('areas overlap, and are rounded outwards to few digits', () => {
  expect(overlap(germany, { west: 10, south: 50, east: 30, north: 60 })).toEqual({
    west: 10,
    south: 50,
    east: 15,
    north: 55,
  });
  expect(overlap(germany, { west: 20, south: 50, east: 30, north: 60 })).toBeNull();
  const exact = { west: 13.123456789, south: 52.000001234, east: 13.198765432, north: 52.1 };
  expect(rounded(exact)).toEqual({ west: 13.1234, south: 52, east: 13.1988, north: 52.1 });
  expect(contains(rounded(exact), exact)).toBe(true);
  expect(rounded({ west: -180, south: -90, east: 180, north: 90 })).toEqual(wholeEarth);
});

test('an area becomes conditions on both columns', () => {
  expect(conditionsIn(['lon', 'lat'], germany)).toEqual([
    { field: 'lon', op: 'gte', value: 5.9 },
    { field: 'lon', op: 'lte', value: 15 },
    { field: 'lat', op: 'gte', value: 47.3 },
    { field: 'lat', op: 'lte', value: 55 },
  ]);
});

test.each([
  [5.6, 5],
  [0.73, 0.5],
  [0.09, 0.1],
  [400, 10],
  [0, 0.000_01],
])('a step near %s is %s', (value, step) => {
  expect(niceStep(value)).toBe(step);
});

test('the world has 2,592 cells; near the poles cells are wider, so that they look square', () => {
  const { width, height } = cellSizeFor(wholeEarth);
  expect((360 / width) * (180 / height)).toBe(2592);
  const north = cellSizeFor({ west: 10, south: 60, east: 30, north: 70 });
  expect(north.width).toBeGreaterThan(north.height);
  expect(cellParams(['lon', 'lat'], { width: 0.05, height: 0.02 })).toMatchObject({
    groups: [
      { field: 'lon', width: 0.05, as: 'west' },
      { field: 'lat', width: 0.02, as: 'south' },
    ],
  });
});

test('cells of a response are areas, whether their numbers are long or not', () => {
  const records = [{ west: '13.400', south: -33.5, count: 7 }];
  expect(cellsOf({ records }, { width: 0.1, height: 0.5 })).toEqual([
    { west: 13.4, south: -33.5, east: 13.5, north: -33, count: 7 },
  ]);
});

test('areas of points compare like their values', () => {
  expect(radiusOf(100, 100)).toBe(24);
  expect(radiusOf(25, 100)).toBe(12);
  for (const value of [0, -5, Number.NaN]) expect(radiusOf(value, 100)).toBe(2);
});

test.each([
  [100_000, 3_426_354, [200_000, 1_000_000, 3_000_000]],
  [0, 0.7, [0.03, 0.2, 0.5]],
  [-5, 100, [10, 30, 100]],
  [3.05, 4.88, [3.5, 4, 4.5]],
  [48, 53, [48, 50, 52]],
  [1001, 1004, [1001, 1003, 1004]],
  [4.1, 4.1, [4.1]],
  [-5, 0, []],
  [Number.POSITIVE_INFINITY, 0, []],
])('the legend of values from %d to %d', (least, greatest, values) => {
  expect(legendValues(least, greatest)).toEqual(values);
});

test('each value of a legend lies between those on the map', () => {
  const value = fc.double({ min: 1e-6, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [least, greatest] = [Math.min(one, other), Math.max(one, other)];
      const values = legendValues(least, greatest);
      expect(values.length).toBeGreaterThan(0);
      for (const each of values) {
        expect(each).toBeGreaterThanOrEqual(least * (1 - 1e-9));
        expect(each).toBeLessThanOrEqual(greatest * (1 + 1e-9));
      }
    }),
  );
});
