/** Makes the map's land from world-atlas: rings and lines that need no geometry in the browser. */
import { readFileSync } from 'node:fs';
import { geoEquirectangular, geoStream } from 'd3-geo';
import { feature, mesh } from 'topojson-client';

/** Lines are in whole steps of 1/300 degree. The grid of world-atlas is coarser. */
const precision = 300;
const degrees = 180 / Math.PI;

/**
 * The land and the borders between countries, as JSON. Polygons are cut at the antimeridian and at the poles, so that a line between two
 * points is the same on every map with a straight equator.
 * @param path a file of countries
 */
export function landOf(path) {
  const topology = JSON.parse(readFileSync(path, 'utf8'));
  const { land, countries } = topology.objects;
  const borders = mesh(topology, countries, (one, other) => one !== other);
  return JSON.stringify({ precision, land: linesOf(feature(topology, land)), borders: linesOf(borders) });
}

/** A shape's lines. Each is its first point, then the steps to the following ones, in parts of a degree: small numbers compress well. */
function linesOf(shape) {
  const lines = [];
  const flat = geoEquirectangular().scale(1).translate([0, 0]).precision(0);
  const add = (x, y) => lines.at(-1).push([x, -y].map((at) => Math.round(at * degrees * precision)));
  const nothing = () => {};
  geoStream(
    shape,
    flat.stream({
      point: add,
      lineStart: () => lines.push([]),
      lineEnd: nothing,
      polygonStart: nothing,
      polygonEnd: nothing,
    }),
  );
  return lines.map((line) =>
    line.flatMap(([x, y], at) => {
      const [beforeX, beforeY] = line[at - 1] ?? [0, 0];
      return at > 0 && x === beforeX && y === beforeY ? [] : [x - beforeX, y - beforeY];
    }),
  );
}
