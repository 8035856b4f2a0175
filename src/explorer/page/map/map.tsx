/** The tab Map: the records on a map, and beside it a list of those in view. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { JsonObject } from '../ask/json.ts';
import { addressOf } from '../ask/question.ts';
import { tableUrl } from '../ask/site.ts';
import { lookOf } from '../parts/looks.ts';
import type { TabProps } from '../parts/tab-props.ts';
import { Trouble } from '../parts/trouble.tsx';
import { say, mapWords as words } from '../texts/index.ts';
import type { MapQuestion, Spot } from './asks.ts';
import { boundsOf, fitted, type Size, wholeWorld, zoomed } from './camera.ts';
import { MapCanvas } from './canvas.tsx';
import { Credit } from './credit.tsx';
import { Legend } from './legend.tsx';
import { PlaceList, type PlaceListProps } from './list.tsx';
import { MapButtons } from './map-buttons.tsx';
import { type Coordinates, conditionsIn, isInside, rounded } from './places.ts';
import { PlacesHead } from './places-head.tsx';
import type { Point } from './projections.ts';
import { sizesOf } from './sizes.ts';
import { useCamera } from './use-camera.ts';
import { useLand } from './use-land.ts';
import { sizeColumns, useRadius } from './use-radius.ts';
import { useSize } from './use-size.ts';
import { useView } from './use-view.ts';

/** How much a click on a cell zooms in. */
const cellFactor = 4;
/** Up to this many points of the same size have their names beside them. */
const maxNames = 100;

/** The tab. An address may open it even for a table without coordinates. */
export function MapTab(props: TabProps) {
  const { coordinates } = props.table;
  if (coordinates === null) return <p class="note">{words.noPlaces}</p>;
  return <MapView {...props} coordinates={coordinates} />;
}

interface MapViewProps extends TabProps {
  readonly coordinates: Coordinates;
}

function MapView(props: MapViewProps) {
  const { table, view, search, coordinates, onShow, onAdd } = props;
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const [focused, setFocused] = useState<Spot | null>(null);
  const columns = sizeColumns(table, coordinates);
  const sized = columns.find(({ name }) => name === view.size) ?? null;
  const { chosen, rested, newest, move, reset } = useCamera(view.at, size, (at) => onShow({ at }, 'replace'));
  const { extent, shown, error, isLoading, onRetry } = useView(questionOf(props, sized), search, rested, size);
  const all = size === null ? null : extent === null ? wholeWorld(size) : fitted(extent.bounds, size);
  const camera = chosen ?? all;
  const bounds = size === null || all === null ? null : boundsOf(rested ?? all, size);
  const { land, isMissing } = useLand(camera, size);
  const { radiusOf, greatest } = useRadius(shown, sized);
  const spots = shown?.spots ?? [];
  const sizes = sizesOf(spots.filter((spot) => bounds !== null && isInside(bounds, spot)));
  const sizeLabel = sized?.label ?? null;
  const isGrouped = sized !== null && lookOf(sized, table).isGrouped;
  const open = ({ row }: Spot) => row !== null && onShow({ tab: 'data', panel: 'record', row });
  const zoom = (factor: number, at: Point) => {
    const from = newest() ?? camera;
    if (from !== null && size !== null) move(zoomed(from, size, factor, at));
  };
  return (
    <section class="map" aria-label={words.map} aria-busy={isLoading}>
      <div ref={box} class="map-view">
        {size !== null && camera !== null && (
          <MapCanvas
            {...{ size, camera, land, shown, focused, radiusOf, sizeLabel, isGrouped }}
            hasNames={table.label !== null && (sized !== null || spots.length <= maxNames)}
            now={() => newest() ?? camera}
            onMove={move}
            onOpen={open}
            onZoom={(at) => zoom(cellFactor, at)}
          />
        )}
        <MapButtons onZoom={(factor) => size !== null && zoom(factor, middleOf(size))} onShowAll={reset} />
        <Legend {...{ shown, greatest, sizes, sizeLabel }} />
        <Credit isMissing={isMissing} hasTiles={camera?.shows === 'close'} />
      </div>
      <div class="places">
        <PlacesHead
          {...{ columns, sized, isAll: chosen === null }}
          onSize={(name) => onShow({ size: name })}
          onFilter={() => bounds !== null && onAdd(conditionsIn(coordinates, rounded(bounds)))}
        />
        {error !== null && <Trouble error={error} resource={table.id} isRepeated onRetry={onRetry} />}
        {shown !== null && bounds !== null ? (
          <Places
            {...{ table, view, shown, bounds, isGrouped, hasSizes: sized !== null && shown.cells.length === 0 }}
            onOpen={open}
            onFocus={setFocused}
            onZoom={(to) => size !== null && move(fitted(to, size))}
          />
        ) : (
          error === null && <p class="places-head note">{say.loading}</p>
        )}
      </div>
    </section>
  );
}

type PlacesProps = Pick<TabProps, 'table' | 'view'> & Omit<PlaceListProps, 'hrefOf'>;

/** The list of places. It may be long, so it is not rendered again for each move of the map. */
function Places({ table, view, ...props }: PlacesProps) {
  const hrefOf = (row: JsonObject) => tableUrl(table.id) + addressOf({ ...view, tab: 'data', panel: 'record', row });
  return useMemo(() => <PlaceList {...props} hrefOf={hrefOf} />, [props.shown, JSON.stringify(props.bounds), view]);
}

const middleOf = ({ width, height }: Size): Point => [width / 2, height / 2];

/** What the map requests. @param size the column that sets the points' size; null if all have the same */
const questionOf = ({ table, view, coordinates }: MapViewProps, size: Column | null): MapQuestion => ({
  ...{ id: table.id, question: view.question, coordinates, key: table.key, label: table.label, size },
  canSummarize: table.canSummarize,
  hasCells: !table.columns.some(({ name, type }) => coordinates.includes(name) && type === 'float4'),
});
