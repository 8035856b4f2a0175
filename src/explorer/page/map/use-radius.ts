import { useMemo } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { Table } from '../ask/table.ts';
import type { InView, Spot } from './asks.ts';
import type { Coordinates } from './places.ts';
import { plainRadius, radiusOf, sizesOf } from './sizes.ts';

/** The columns that can set the points' size: numbers, except those that identify or place a record. */
export const sizeColumns = ({ columns, key }: Table, coordinates: Coordinates): readonly Column[] =>
  columns.filter(({ name, kind }) => kind === 'number' && ![...key, ...coordinates].includes(name));

export interface Radius {
  readonly radiusOf: (spot: Spot) => number;
  /** The largest value of the column that sets the size: its circle is the largest. 0 if there is none. */
  readonly greatest: number;
}

/**
 * How large each point is drawn. `radiusOf` stays the same until the records or the column change: a new one has the canvas drawn again.
 * @param shown the records on the map; null until they are read
 * @param sized the column that sets the size; null if all points have the same size
 */
export function useRadius(shown: InView | null, sized: Column | null): Radius {
  const spots = shown?.spots ?? [];
  const greatest = useMemo(() => Math.max(0, ...sizesOf(spots)), [shown]);
  const radius = useMemo(() => {
    const plain = plainRadius(spots.length);
    return (spot: Spot) => (sized === null ? plain : radiusOf(Number(spot.size ?? 0), greatest));
  }, [shown, sized?.name]);
  return { radiusOf: radius, greatest };
}
