/** The records in view as a list, so that the map can be used with a keyboard or a screen reader. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import { shownNumber } from '../parts/format.ts';
import { Name } from '../parts/value.tsx';
import { say, shownCount, mapWords as words } from '../texts/index.ts';
import type { InView, Spot } from './asks.ts';
import { placeName } from './place-name.ts';
import { type Bounds, isInside, overlap, type Place } from './places.ts';

export interface PlaceListProps {
  readonly shown: InView;
  /** The area on the canvas. */
  readonly bounds: Bounds;
  readonly hasSizes: boolean;
  /** Whether the digits of the sizes are grouped. */
  readonly isGrouped: boolean;
  hrefOf(row: JsonObject): string;
  onOpen(spot: Spot): void;
  onFocus(spot: Spot | null): void;
  /** Zooms to an area. */
  onZoom(bounds: Bounds): void;
}

const step = 100;

export function PlaceList(props: PlaceListProps) {
  const { shown, bounds } = props;
  const [length, setLength] = useState(step);
  const spots = shown.spots.filter((spot) => isInside(bounds, spot));
  const cells = shown.cells.filter((cell) => overlap(bounds, cell) !== null);
  const isCut = shown.spots.length < shown.total && shown.cells.length === 0;
  const total = shown.cells.length > 0 || isCut ? shown.total : spots.length;
  const records = say.count(shownCount(total), total);
  const items: readonly ComponentChildren[] = [
    ...spots.slice(0, length).map((spot, at) => <SpotItem key={at} {...props} spot={spot} />),
    ...cells.slice(0, length).map((cell) => (
      <li key={`${cell.west} ${cell.south}`}>
        <button type="button" aria-label={words.zoomTo(placeName(middleOf(cell)))} onClick={() => props.onZoom(cell)}>
          {placeName(middleOf(cell))}
        </button>
        <span class="number">{shownCount(cell.count)}</span>
      </li>
    )),
  ];
  return (
    <>
      <div class="places-head">
        <h2>
          <span role="status">{words.inView(shown.isEstimated ? say.about(records) : records)}</span>
        </h2>
        {isCut && <p class="note">{words.firstOnly(shownCount(shown.spots.length))}</p>}
        {cells.length > 0 && <p class="note">{words.inCells}</p>}
        {total === 0 && <p class="note">{words.none}</p>}
      </div>
      <ul aria-label={words.inView(say.records)}>{items}</ul>
      {items.length < spots.length + cells.length && (
        <button type="button" class="more" onClick={() => setLength(length + step)}>
          {words.more}
        </button>
      )}
    </>
  );
}

interface SpotItemProps extends PlaceListProps {
  readonly spot: Spot;
}

function SpotItem({ spot, hasSizes, isGrouped, hrefOf, onOpen, onFocus }: SpotItemProps) {
  const { row, label, size } = spot;
  return (
    <li>
      {row === null ? (
        <span dir="auto">
          <Name of={label} />
        </span>
      ) : (
        <a
          href={hrefOf(row)}
          dir="auto"
          onFocus={() => onFocus(spot)}
          onBlur={() => onFocus(null)}
          onClick={(event) => {
            if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onOpen(spot);
          }}
        >
          <Name of={label} />
        </a>
      )}
      {hasSizes && <span class="number">{size === null ? '–' : shownNumber(size, isGrouped)}</span>}
    </li>
  );
}

/** The middle of a cell. */
const middleOf = ({ west, south, east, north }: Bounds): Place => ({
  longitude: (west + east) / 2,
  latitude: (south + north) / 2,
});
