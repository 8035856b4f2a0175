/** The images from `explorer.map.tiles` behind the map: which ones are in view, and where. Pure. */
import type { Camera, Size } from './camera.ts';

export interface Tile {
  readonly url: string;
  readonly left: number;
  readonly top: number;
  /** The length of the tile's sides in pixels. */
  readonly side: number;
}

/** Most servers have no images with more detail. */
const maxZoom = 19;
const world = 2 * Math.PI;

/** The tiles in view. There are none when zoomed out, because the world's projection differs from the tiles'. */
export function tilesIn(template: string, { shows, x, y, scale }: Camera, { width, height }: Size): readonly Tile[] {
  if (shows !== 'close') return [];
  const zoom = Math.min(maxZoom, Math.max(0, Math.round(Math.log2((scale * world) / 256))));
  const count = 2 ** zoom;
  const side = (scale * world) / count;
  // The number of the tile at a distance from the world's centre.
  const at = (distance: number) => Math.floor((distance / world + 0.5) * count);
  const numbers = (middle: number, length: number) => {
    const [first, last] = [at(middle - length / 2 / scale), at(middle + length / 2 / scale)];
    const inside = [Math.max(0, first), Math.min(count - 1, last)] as const;
    return Array.from({ length: Math.max(0, inside[1] - inside[0] + 1) }, (_, nth) => inside[0] + nth);
  };
  const edge = (number: number, middle: number, length: number) =>
    length / 2 + ((number / count - 0.5) * world - middle) * scale;
  return numbers(y, height).flatMap((row) =>
    numbers(x, width).map((column) => ({
      url: template.replaceAll('{z}', `${zoom}`).replaceAll('{x}', `${column}`).replaceAll('{y}', `${row}`),
      ...{ left: edge(column, x, width), top: edge(row, y, height), side },
    })),
  );
}
