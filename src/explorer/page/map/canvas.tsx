/** The map's canvas, with the tip that lies over it at the pointer. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mapWords as words } from '../texts/index.ts';
import type { Spot } from './asks.ts';
import { type Camera, placeAt, pointOf } from './camera.ts';
import type { Cell } from './cells.ts';
import { draw, type Picture } from './draw.ts';
import { useGestures } from './gestures.ts';
import { isInside } from './places.ts';
import type { Point } from './projections.ts';
import { Tip } from './tip.tsx';
import { useTiles } from './use-tiles.ts';

export interface MapCanvasProps extends Omit<Picture, 'pointed' | 'tiles'> {
  /** The camera's newest position, which may not be rendered yet. */
  readonly camera: Camera;
  now(): Camera;
  /** The label of the column that sets the size; null if there is none. */
  readonly sizeLabel: string | null;
  /** Whether the digits of that column are grouped. */
  readonly isGrouped: boolean;
  /** The record whose link has the focus. */
  readonly focused: Spot | null;
  onMove(camera: Camera): void;
  onOpen(spot: Spot): void;
  onZoom(at: Point): void;
}

/** A click this many pixels outside a point's edge still hits it. */
const reach = 4;

export function MapCanvas(props: MapCanvasProps) {
  const { size, camera, shown, sizeLabel, isGrouped, focused, now, onMove, onOpen, onZoom } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hovered, setHovered] = useState<Point | null>(null);
  const themes = useThemes();
  const tiles = useTiles(camera, size);
  const at = hovered === null ? null : foundAt(props, hovered);
  const spot = at !== null && 'longitude' in at ? at : null;
  const pointed = spot ?? focused;
  useLayoutEffect(() => {
    if (canvas.current !== null) draw(canvas.current, { ...props, tiles, pointed });
  }, [size, camera, shown, props.land, tiles.length, props.hasNames, props.radiusOf, pointed, themes]);
  const gestures = useGestures(() => ({
    ...{ camera: now(), size, onMove },
    onHover: setHovered,
    onClick(point) {
      const found = foundAt(props, point);
      if (found !== null && 'longitude' in found) onOpen(found);
      else if (found !== null) onZoom(point);
    },
  }));
  return (
    <>
      <div
        class={`map-canvas${at === null ? '' : ' pointing'}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map
        tabIndex={0}
        role="application"
        aria-label={words.map}
        aria-description={words.mapHint}
        {...gestures}
      >
        <canvas ref={canvas} />
      </div>
      {hovered !== null && at !== null && <Tip at={hovered} {...{ size, sizeLabel, isGrouped }} of={at} />}
      {hovered === null && focused !== null && (
        <Tip at={pointOf(camera, size, focused)} {...{ size, sizeLabel, isGrouped }} of={focused} />
      )}
    </>
  );
}

/** The record or cell at a point on the canvas. If records overlap, the one drawn last is on top. */
function foundAt({ camera, size, shown, radiusOf }: MapCanvasProps, point: Point): Spot | Cell | null {
  if (shown === null) return null;
  const isNear = (spot: Spot) => {
    const [x, y] = pointOf(camera, size, spot);
    return Math.hypot(x - point[0], y - point[1]) <= radiusOf(spot) + reach;
  };
  const place = placeAt(camera, size, point);
  return (
    shown.spots.findLast(isNear) ??
    (place === null ? null : (shown.cells.find((cell) => isInside(cell, place)) ?? null))
  );
}

/** Counts changes of the colour theme, because a canvas has to be redrawn after each. */
export function useThemes(): number {
  const [themes, setThemes] = useState(0);
  useEffect(() => {
    const changed = () => setThemes((now) => now + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    const chosen = new MutationObserver(changed);
    system.addEventListener('change', changed);
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
    return () => {
      system.removeEventListener('change', changed);
      chosen.disconnect();
    };
  }, []);
  return themes;
}
