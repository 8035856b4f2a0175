import { useState } from 'preact/hooks';
import type { Refused } from '../ask/call.ts';
import { paramsOf } from '../ask/question.ts';
import { useLoaded } from '../parts/hooks.ts';
import type { Search } from '../parts/search.ts';
import { type Extent, type InView, type MapQuestion, maxSpots, readExtent, readView } from './asks.ts';
import { boundsOf, type Camera, type Size } from './camera.ts';
import { type Bounds, contains, overlap, rounded, wholeEarth } from './places.ts';

export interface Viewed {
  /** The area that contains all records; null if there are none, or until it is known. */
  readonly extent: Extent | null;
  /** The newest records in view; while the map moves, those of the previous view. */
  readonly shown: InView | null;
  readonly error: Refused | null;
  readonly isLoading: boolean;
  onRetry(): void;
}

/**
 * The records in view. If there are few, they are read once for all views; if there are many, each view requests its own.
 * @param camera where the map has come to rest; null to show all records
 */
export function useView(
  asked: MapQuestion,
  { version, isFresh: fresh }: Search,
  camera: Camera | null,
  size: Size | null,
): Viewed {
  const [tries, setTries] = useState(0);
  const { sort: _, fields: __, ...found } = paramsOf(asked.id, asked.question);
  const question = JSON.stringify([found, tries, version]);
  const first = useLoaded(question, async (signal) => ({
    of: question,
    extent: await readExtent(asked, { signal, fresh }),
  }));
  const isKnown = first.data?.of === question;
  const extent = first.data?.extent ?? null;
  const area = isKnown && size !== null ? areaOf(extent, camera, size, asked.canSummarize) : null;
  const key = area === null || area === 'nothing' ? null : JSON.stringify([question, asked.size?.name, area]);
  const view = useLoaded(key, async (signal) => {
    if (area === null || area === 'nothing') return null;
    const isAll = extent !== null && contains(area, extent.bounds);
    return readView(asked, area, isAll ? extent.count : Number.NaN, { signal, fresh });
  });
  return {
    extent,
    shown: area === 'nothing' ? nothing : view.data,
    error: first.error ?? view.error,
    isLoading: first.isLoading || (key !== null && view.isLoading),
    onRetry: () => setTries(tries + 1),
  };
}

const nothing: InView = { bounds: wholeEarth, spots: [], cells: [], cellSize: null, total: 0, isEstimated: false };

/** The area to request; `nothing` if it cannot contain a record. */
function areaOf(extent: Extent | null, camera: Camera | null, size: Size, isCounted: boolean): Bounds | 'nothing' {
  if (extent === null) return isCounted ? 'nothing' : rounded(camera === null ? wholeEarth : boundsOf(camera, size));
  // A sample tells where to open the map, but not where all records are.
  const all = Number.isNaN(extent.count) ? wholeEarth : rounded(extent.bounds);
  if (camera === null || extent.count <= maxSpots) return all;
  const seen = overlap(rounded(boundsOf(camera, size)), all);
  return seen ?? 'nothing';
}
