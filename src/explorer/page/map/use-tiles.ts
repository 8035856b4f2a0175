import { useEffect, useMemo, useRef } from 'preact/hooks';
import { site } from '../ask/site.ts';
import { useRedraw } from '../parts/hooks.ts';
import type { Camera, Size } from './camera.ts';
import { type Tile, tilesIn } from './tiles.ts';

/** A tile with its image. */
export interface LoadedTile extends Tile {
  readonly image: HTMLImageElement;
}

/** How many images are kept for when the user moves back. */
const mostKept = 300;

/** The loaded tiles in view. The component is rendered again when more have loaded. */
export function useTiles(camera: Camera, size: Size): readonly LoadedTile[] {
  const images = useRef(new Map<string, HTMLImageElement>());
  const redraw = useRedraw();
  const { tiles } = site.map;
  const inView = useMemo(() => (tiles === null ? [] : tilesIn(tiles.url, camera, size)), [camera, size]);
  useEffect(() => {
    for (const { url } of inView) {
      if (images.current.has(url)) continue;
      const image = new Image();
      // Tile servers want to know which site uses them. The rest of our address may contain personal data.
      image.referrerPolicy = 'strict-origin';
      image.onload = redraw;
      image.src = url;
      images.current.set(url, image);
    }
    const used = new Set(inView.map(({ url }) => url));
    for (const url of images.current.keys())
      if (images.current.size > mostKept && !used.has(url)) images.current.delete(url);
  }, [inView]);
  return inView.flatMap((tile) => {
    const image = images.current.get(tile.url);
    return image?.complete && image.naturalWidth > 0 ? [{ ...tile, image }] : [];
  });
}
