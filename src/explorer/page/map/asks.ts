/** The map's calls: where the records are, and which or how many are in view. */
import { type CallOptions, call } from '../ask/call.ts';
import type { Column } from '../ask/columns.ts';
import { type Condition, filtersOf } from '../ask/conditions.ts';
import { count, isObject, type Json, type JsonObject, list, object, text, textOf } from '../ask/json.ts';
import { paramsOf, type Question } from '../ask/question.ts';
import { filtersByKey } from '../ask/row-filters.ts';
import { type Cell, type CellSize, cellParams, cellSizeFor, cellsOf } from './cells.ts';
import { type Bounds, type Coordinates, conditionsIn, type Place, wholeEarth } from './places.ts';

/** What to ask, and about which columns. */
export interface MapQuestion {
  readonly id: string;
  readonly question: Question;
  readonly coordinates: Coordinates;
  readonly key: readonly string[];
  /** The column that names a record; null if there is none. */
  readonly label: string | null;
  /** The column that sets a point's size; null if all points have the same size. */
  readonly size: Column | null;
  readonly canSummarize: boolean;
  /** Whether records can be counted in cells: the API has no exact multiples of a float4. */
  readonly hasCells: boolean;
}

/** A record on the map. */
export interface Spot extends Place {
  readonly label: string;
  /** The text of the column that sets the size; null if it has no value. */
  readonly size: string | null;
  /** The filters that find this record; null if the table has no key. */
  readonly row: JsonObject | null;
}

export interface Extent {
  readonly bounds: Bounds;
  /** The number of records in the cell; NaN if only a sample was read. */
  readonly count: number;
}

/** What the map shows in one view. */
export interface InView {
  /** The area that was asked for. */
  readonly bounds: Bounds;
  readonly spots: readonly Spot[];
  /** The cells, if there are too many records for points. */
  readonly cells: readonly Cell[];
  readonly cellSize: CellSize | null;
  /** The number of records in the area. */
  readonly total: number;
  readonly isEstimated: boolean;
}

/** The most records that are drawn as points. */
export const maxSpots = 5000;

function paramsIn({ id, question }: MapQuestion, more: readonly Condition[]): JsonObject {
  const { sort: _, fields: __, ...params } = paramsOf(id, question);
  return { ...params, filters: filtersOf([...question.conditions, ...more]) };
}

/** The area that contains all records, and their number; null if none has a place, or if the API does not count them. */
export async function readExtent(asked: MapQuestion, options: CallOptions): Promise<Extent | null> {
  const [longitude, latitude] = asked.coordinates;
  const measures = {
    ...{ count: 'count', west: { min: longitude }, east: { max: longitude } },
    ...{ south: { min: latitude }, north: { max: latitude } },
  };
  if (!asked.canSummarize) return null;
  const params = { ...paramsIn(asked, conditionsIn(asked.coordinates, wholeEarth)), measures };
  const { result } = await call('datastore_aggregate', params, options);
  const found = object(list(result.records)[0]);
  const [west, south, east, north] = [found.west, found.south, found.east, found.north].map(numberIn);
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  if (![west, south, east, north].every(Number.isFinite)) return null;
  return { bounds: { west, south, east, north }, count: isObject(result.sampled) ? Number.NaN : count(found.count) };
}

/** The records in an area, or the number of them in each cell. @param known the number of records in the area; NaN if unknown */
export async function readView(
  asked: MapQuestion,
  bounds: Bounds,
  known: number,
  options: CallOptions,
): Promise<InView> {
  const params = paramsIn(asked, conditionsIn(asked.coordinates, bounds));
  const counted = Number.isNaN(known)
    ? (await call('datastore_search', { ...params, limit: 0 }, options)).result
    : { total: known };
  const [total, isEstimated] = [count(counted.total), counted.total_was_estimated === true];
  if (total > maxSpots && asked.hasCells && asked.canSummarize) {
    const cellSize = cellSizeFor(bounds);
    const { result } = await call(
      'datastore_aggregate',
      { ...params, ...cellParams(asked.coordinates, cellSize) },
      options,
    );
    return { bounds, spots: [], cells: cellsOf(result, cellSize), cellSize, total, isEstimated };
  }
  const spots = await readSpots(asked, params, options);
  const isWhole = spots.length < maxSpots;
  return {
    ...{ bounds, spots, cells: [], cellSize: null },
    ...(isWhole ? { total: spots.length, isEstimated: false } : { total: Math.max(total, spots.length), isEstimated }),
  };
}

async function readSpots(asked: MapQuestion, params: JsonObject, options: CallOptions): Promise<readonly Spot[]> {
  const { coordinates, key, label, size } = asked;
  const names = [...coordinates, ...key, ...(label === null ? [] : [label]), ...(size === null ? [] : [size.name])];
  const { result } = await call(
    'datastore_search',
    {
      ...{ ...params, fields: [...new Set(names)], limit: maxSpots, records_format: 'lists', include_total: false },
      // If not all can be drawn, draw the largest.
      ...(size === null ? {} : { sort: `"${size.name.replaceAll('"', '""')}" desc nulls last` }),
    },
    options,
  );
  const answered = list(result.fields).map((one) => text(object(one).id));
  return list(result.records).map((row) => {
    const valueIn = (name: string): Json => list(row)[answered.indexOf(name)] ?? null;
    const textIn = (name: string | null) => (name === null ? null : textOf(valueIn(name)));
    const names = key.map((name) => textOf(valueIn(name)) ?? '').join(', ');
    return {
      longitude: numberIn(valueIn(coordinates[0])),
      latitude: numberIn(valueIn(coordinates[1])),
      label: textIn(label) ?? names,
      size: textIn(size?.name ?? null),
      row: key.length === 0 ? null : filtersByKey(key, valueIn),
    };
  });
}

const numberIn = (value: Json | undefined): number => Number(textOf(value ?? null) ?? Number.NaN);
