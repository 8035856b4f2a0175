/** The map's two projections, in units of a radian at the centre, with y downwards. Pure. */
import type { Place } from './places.ts';

/** A point on the canvas, or in a projection. */
export type Point = readonly [x: number, y: number];

/** Parallels are horizontal lines, and the meridians cross them at equal distances. */
export interface Projection {
  /** The projection's greatest latitude. */
  readonly pole: number;
  /** A parallel's distance from the equator, upwards. */
  heightOf(latitude: number): number;
  /** The latitude at a distance from the equator. */
  latitudeAt(height: number): number;
  /** The projected length of a radian along a parallel. */
  stretchAt(latitude: number): number;
}

const radian = Math.PI / 180;

// Equal Earth (Šavrič, Patterson, Jenny 2018): y is a polynomial of a parametric latitude.
const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796] as const;
const half = Math.sqrt(3) / 2;
const parametric = (latitude: number) => Math.asin(half * Math.sin(latitude * radian));
const height = (t: number) => t * (a1 + a2 * t ** 2 + a3 * t ** 6 + a4 * t ** 8);
const slope = (t: number) => a1 + 3 * a2 * t ** 2 + 7 * a3 * t ** 6 + 9 * a4 * t ** 8;

const equalEarth: Projection = {
  pole: 90,
  heightOf: (latitude) => height(parametric(latitude)),
  latitudeAt(at) {
    let t = at / a1;
    // Newton's method: ten steps are exact for all latitudes.
    for (let step = 0; step < 10; step++) t -= (height(t) - at) / slope(t);
    return Math.asin(Math.max(-1, Math.min(1, Math.sin(t) / half))) / radian;
  },
  stretchAt(latitude) {
    const t = parametric(latitude);
    return Math.cos(t) / (half * slope(t));
  },
};

const mercator: Projection = {
  pole: 85.05,
  heightOf: (latitude) => Math.log(Math.tan(Math.PI / 4 + (latitude * radian) / 2)),
  latitudeAt: (at) => (2 * Math.atan(Math.exp(at)) - Math.PI / 2) / radian,
  stretchAt: () => 1,
};

export const projections = { world: equalEarth, close: mercator } as const;
export type Shows = keyof typeof projections;

/** A place's point. Latitudes beyond the projection's pole are put at its edge. */
export function project(shows: Shows, { longitude, latitude }: Place): Point {
  const { pole, heightOf, stretchAt } = projections[shows];
  const inside = Math.max(-pole, Math.min(pole, latitude));
  return [longitude * radian * stretchAt(inside), -heightOf(inside)];
}

/** How far the projection's right edge at a latitude, and its top, are from its centre. */
export function edgesOf(shows: Shows, latitude = 0): Point {
  const { pole, heightOf, stretchAt } = projections[shows];
  return [Math.PI * stretchAt(latitude), heightOf(pole)];
}

/** The place at a point. Its longitude exceeds 180 degrees if the point is outside the world. */
export function unproject(shows: Shows, [x, y]: Point): Place {
  const [, top] = edgesOf(shows);
  const latitude = projections[shows].latitudeAt(-Math.max(-top, Math.min(top, y)));
  return { longitude: x / projections[shows].stretchAt(latitude) / radian, latitude };
}
