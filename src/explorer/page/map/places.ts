/** Places in degrees, areas, and the filters that find the records in them. Pure. */
import type { Condition } from '../ask/conditions.ts';

export interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The columns with longitude and latitude. */
export type Coordinates = readonly [longitude: string, latitude: string];

export const wholeEarth: Bounds = { west: -180, south: -90, east: 180, north: 90 };

export const isInside = ({ west, south, east, north }: Bounds, { longitude, latitude }: Place): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/** Whether an area is within another one. */
export const contains = (outer: Bounds, { west, south, east, north }: Bounds): boolean =>
  isInside(outer, { longitude: west, latitude: south }) && isInside(outer, { longitude: east, latitude: north });

/** The part that two areas share; null if they do not overlap. */
export function overlap(one: Bounds, other: Bounds): Bounds | null {
  const both = {
    west: Math.max(one.west, other.west),
    south: Math.max(one.south, other.south),
    east: Math.min(one.east, other.east),
    north: Math.min(one.north, other.north),
  };
  return both.west <= both.east && both.south <= both.north ? both : null;
}

/** An area with few digits in its edges. It is never smaller than the original. */
export function rounded({ west, south, east, north }: Bounds): Bounds {
  const smaller = Math.min(east - west, north - south);
  const places = smaller > 0 ? Math.min(6, Math.max(1, 2 - Math.floor(Math.log10(smaller)))) : 6;
  const toPlaces = (round: (value: number) => number, value: number) =>
    Number((round(value * 10 ** places) / 10 ** places).toFixed(places));
  return {
    west: Math.max(-180, toPlaces(Math.floor, west)),
    south: Math.max(-90, toPlaces(Math.floor, south)),
    east: Math.min(180, toPlaces(Math.ceil, east)),
    north: Math.min(90, toPlaces(Math.ceil, north)),
  };
}

/** The conditions that find the records in an area. */
export const conditionsIn = (
  [longitude, latitude]: Coordinates,
  { west, south, east, north }: Bounds,
): readonly Condition[] => [
  { field: longitude, op: 'gte', value: west },
  { field: longitude, op: 'lte', value: east },
  { field: latitude, op: 'gte', value: south },
  { field: latitude, op: 'lte', value: north },
];
