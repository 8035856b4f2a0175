/** A small map that shows one record in its panel. Its link opens the tab Map at that place. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MapPosition } from '../ask/question.ts';
import { site } from '../ask/site.ts';
import { mapWords as words } from '../texts/index.ts';
import { cameraAt } from './camera.ts';
import { useThemes } from './canvas.tsx';
import { Credit } from './credit.tsx';
import { draw } from './draw.ts';
import { placeName } from './place-name.ts';
import { isInside, wholeEarth } from './places.ts';
import { useLand } from './use-land.ts';
import { useSize } from './use-size.ts';
import { useTiles } from './use-tiles.ts';

/** Show streets if there are images of them; otherwise the land around, because a coast tells more than an empty plain. */
const zoom = site.map.tiles === null ? 4 : 13;
const radius = 7;

export interface SmallMapProps {
  readonly longitude: number;
  readonly latitude: number;
  readonly label: string;
  hrefOf(at: MapPosition): string;
}

/** Renders nothing if the coordinates are not a place. */
export function SmallMap({ longitude, latitude, label, hrefOf }: SmallMapProps) {
  const place = { longitude, latitude };
  return isInside(wholeEarth, place) ? <Drawn {...{ ...place, label, hrefOf }} /> : null;
}

function Drawn({ longitude, latitude, label, hrefOf }: SmallMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(box) ?? { width: 1, height: 1 };
  const at = { longitude, latitude, zoom };
  const href = hrefOf({ ...at, zoom: zoom + 1 });
  const camera = cameraAt(at, size);
  const { land, isMissing } = useLand(camera, size);
  const tiles = useTiles(camera, size);
  const themes = useThemes();
  useLayoutEffect(() => {
    const spots = [{ longitude, latitude, label, size: null, row: null }];
    const shown = { spots, bounds: wholeEarth, cells: [], cellSize: null, total: 1, isEstimated: false };
    const picture = { size, camera, land, tiles, shown, hasNames: false, radiusOf: () => radius, pointed: null };
    if (canvas.current !== null) draw(canvas.current, picture);
  }, [size.width, size.height, longitude, latitude, land, tiles.length, themes]);
  return (
    <section class="record-map">
      <h3>{words.map}</h3>
      <div class="small-map" ref={box}>
        <a href={href} data-inside="" aria-label={words.onMap(label)}>
          <canvas ref={canvas} />
        </a>
        <Credit isMissing={isMissing} hasTiles={camera.shows === 'close'} />
      </div>
      <a href={href} data-inside="">
        {placeName(at)}
      </a>
    </section>
  );
}
