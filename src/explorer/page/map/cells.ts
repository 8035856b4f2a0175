/** The map's cells: how large they are, and how many records each has. Pure. */
import { type JsonObject, list, object, textOf } from '../ask/json.ts';
import type { Bounds, Coordinates } from './places.ts';

export interface Cell extends Bounds {
  readonly count: number;
}

/** The lengths of a cell's sides in degrees. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
}

/** The most cells that a view requests; a screen shows about half of them. */
export const maxCells = 10_000;
const cellsAcross = 64;

/** A cell size for an area, so that a cell's sides have about the same length on the map. */
export function cellSizeFor({ west, south, east, north }: Bounds): CellSize {
  const middle = (((south + north) / 2) * Math.PI) / 180;
  const squeezed = Math.max(0.2, Math.cos(middle));
  const side = Math.max((east - west) * squeezed, north - south) / cellsAcross;
  return { width: niceStep(side / squeezed), height: niceStep(side) };
}

/** The nearest of 1, 2 and 5 times a power of ten, at most 10 degrees. */
export function niceStep(value: number): number {
  const exponent = Math.floor(Math.log10(Math.max(value, 0.000_01)));
  const part = value / 10 ** exponent;
  const nice = part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10;
  return Number(Math.min(10, nice * 10 ** exponent).toFixed(6));
}

/** The parameters for `datastore_aggregate` that count the records in each cell; the search's parameters are added to them. */
export function cellParams([longitude, latitude]: Coordinates, { width, height }: CellSize): JsonObject {
  return {
    groups: [
      { field: longitude, width, as: 'west' },
      { field: latitude, width: height, as: 'south' },
    ],
    measures: { count: 'count' },
    sort: 'count desc',
    limit: maxCells,
  };
}

/** A response's cells, those with the most records first. */
export function cellsOf(result: JsonObject, { width, height }: CellSize): readonly Cell[] {
  return list(result.records).map((one) => {
    const { west, south, count } = object(one);
    const [left, bottom] = [west, south].map((value) => Number(textOf(value ?? null)));
    return {
      west: left ?? 0,
      south: bottom ?? 0,
      east: (left ?? 0) + width,
      north: (bottom ?? 0) + height,
      count: Number(textOf(count ?? null)),
    };
  });
}
