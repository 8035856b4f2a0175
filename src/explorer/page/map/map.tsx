/** The tab Map: the records on a map, and beside it a list of those in view. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import { addressOf } from '../ask/question.ts';
import { tableUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { say, mapWords as words } from '../texts/index.ts';
import type { MapQuestion, Spot } from './asks.ts';
import { boundsOf, type Camera, cameraAt, fitted, positionOf, wholeWorld, zoomed } from './camera.ts';
import { MapCanvas } from './canvas.tsx';
import { Credit } from './credit.tsx';
import { Legend } from './legend.tsx';
import { PlaceList } from './list.tsx';
import { type Coordinates, conditionsIn, isInside, rounded } from './places.ts';
import type { Point } from './projections.ts';
import { plainRadius, radiusOf, sizesOf } from './sizes.ts';
import { useLand } from './use-land.ts';
import { useSettled, useSize } from './use-size.ts';
import { useView } from './use-view.ts';

/** Milliseconds that the map must be still before it requests the records in view. */
const restMs = 250;
const buttonFactor = 2;

/** The tab. An address may open it even for a table without coordinates. */
export function MapTab(props: TabProps) {
  const { coordinates } = props.table;
  if (coordinates === null) return <p class="note">{words.noPlaces}</p>;
  return <MapView {...props} coordinates={coordinates} />;
}

function MapView({ table, view, coordinates, onShow, onAdd }: TabProps & { readonly coordinates: Coordinates }) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const [tries, setTries] = useState(0);
  const [focused, setFocused] = useState<Spot | null>(null);
  const numbers = table.columns.filter(({ name, kind }) => kind === 'number' && !isIdentity(name, table, coordinates));
  const sized = numbers.find(({ name }) => name === view.size) ?? null;
  const asked: MapQuestion = {
    ...{ id: table.id, question: view.question, coordinates, key: table.key, label: table.label, size: sized },
    canSummarize: table.canSummarize,
    hasCells: !table.columns.some(({ name, type }) => coordinates.includes(name) && type === 'float4'),
  };
  /** Where the user has moved the map. Null before that: the address sets the position, or the map shows all records. */
  const [moved, setMoved] = useState<Camera | null>(null);
  const newest = useRef<Camera | null>(null);
  const move = (to: Camera) => {
    newest.current = to;
    setMoved(to);
  };
  const showAll = () => {
    newest.current = null;
    setMoved(null);
    onShow({ at: null }, 'replace');
  };
  const opened = useMemo(
    () => (size === null || view.at === null ? null : cameraAt(view.at, size)),
    [size, JSON.stringify(view.at)],
  );
  const settled = useSettled(moved, restMs);
  useEffect(() => {
    if (settled !== null) onShow({ at: positionOf(settled) }, 'replace');
  }, [settled]);
  const chosen = moved ?? opened;
  const rested = settled ?? opened;
  const { extent, shown, error, isLoading } = useView(asked, rested, size, tries);
  const all = size === null ? null : extent === null ? wholeWorld(size) : fitted(extent.bounds, size);
  const camera = chosen ?? all;
  const { land, isMissing } = useLand(camera, size);
  const bounds = size === null || all === null ? null : boundsOf(rested ?? all, size);
  const spots = shown?.spots ?? [];
  const greatest = useMemo(() => Math.max(0, ...sizesOf(spots)), [shown]);
  const radius = useMemo(() => {
    const plain = plainRadius(spots.length);
    return (spot: Spot) => (sized === null ? plain : radiusOf(Number(spot.size ?? 0), greatest));
  }, [shown, sized?.name]);
  const sizes = sizesOf(spots.filter((spot) => bounds !== null && isInside(bounds, spot)));
  const hrefOf = (row: JsonObject) => tableUrl(table.id) + addressOf({ ...view, tab: 'data', panel: 'record', row });
  const open = ({ row }: Spot) => row !== null && onShow({ tab: 'data', panel: 'record', row });
  const zoom = (factor: number, at: Point) => {
    const from = newest.current ?? camera;
    if (from !== null && size !== null) move(zoomed(from, size, factor, at));
  };
  const middle: Point = [(size?.width ?? 0) / 2, (size?.height ?? 0) / 2];
  const list = useMemo(
    () =>
      shown === null || bounds === null ? null : (
        <PlaceList
          {...{ shown, bounds, hasSizes: sized !== null && shown.cells.length === 0, hrefOf }}
          onOpen={open}
          onFocus={setFocused}
          onZoom={(to) => size !== null && move(fitted(to, size))}
        />
      ),
    [shown, JSON.stringify(bounds), view],
  );
  return (
    <section class="map" aria-label={words.map} aria-busy={isLoading}>
      <div ref={box} class="map-view">
        {size !== null && camera !== null && (
          <MapCanvas
            {...{ size, camera, land, shown, focused, radiusOf: radius }}
            sizeLabel={sized?.label ?? null}
            hasNames={table.label !== null && (sized !== null || spots.length <= 100)}
            now={() => newest.current ?? camera}
            onMove={move}
            onOpen={open}
            onZoom={(at) => zoom(2 * buttonFactor, at)}
          />
        )}
        <div class="map-buttons">
          <MapButton label={words.closer} sign="+" onClick={() => zoom(buttonFactor, middle)} />
          <MapButton label={words.further} sign="−" onClick={() => zoom(1 / buttonFactor, middle)} />
          <MapButton label={words.all} sign="⤢" onClick={showAll} />
        </div>
        <Legend {...{ shown, greatest, sizes }} sizeLabel={sized?.label ?? null} />
        <Credit isMissing={isMissing} hasTiles={camera?.shows === 'close'} />
      </div>
      <div class="places">
        <div class="places-head">
          <label>
            {words.size}
            <select value={sized?.name ?? ''} onChange={(event) => onShow({ size: event.currentTarget.value })}>
              <option value="">{words.oneSize}</option>
              {numbers.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            disabled={chosen === null}
            onClick={() => bounds !== null && onAdd(conditionsIn(coordinates, rounded(bounds)))}
          >
            {words.onlyInView}
          </button>
        </div>
        {error !== null && <Trouble error={error} resource={table.id} isRepeated onRetry={() => setTries(tries + 1)} />}
        {list ?? (error === null && <p class="places-head note">{say.loading}</p>)}
      </div>
    </section>
  );
}

/** Whether a column identifies or places a record: as a point's size, it would mean nothing. */
const isIdentity = (name: string, { key }: Table, coordinates: Coordinates): boolean =>
  [...key, ...coordinates].includes(name);

interface MapButtonProps {
  readonly label: string;
  readonly sign: string;
  onClick(): void;
}

function MapButton({ label, sign, onClick }: MapButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      {sign}
    </button>
  );
}
