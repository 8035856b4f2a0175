/** Where each place in the world is on the canvas. Zoomed out, the projection keeps areas; zoomed in, it keeps angles. Pure. */
import type { MapPosition } from '../ask/question.ts';
import type { Bounds, Place } from './places.ts';
import { edgesOf, type Point, project, type Shows, unproject } from './projections.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Camera {
  readonly shows: Shows;
  /** The canvas's centre, in units of the projection: radians at the projection's centre. */
  readonly x: number;
  readonly y: number;
  /** Pixels per unit. */
  readonly scale: number;
}

const closeFrom = 4;
/** The largest scale, in pixels per radian: a pixel is then about 3 m. */
const maxScale = 2_000_000;
const margin = 18;
/** The smallest extent to fit, in degrees: a single place is shown with its surroundings. */
const leastExtent = 0.02;

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

const centreOf = ({ shows, x, y }: Camera): Place => unproject(shows, [x, y]);

/** Pixels per radian at the camera's centre. */
function localScale(camera: Camera): number {
  return camera.shows === 'world' ? camera.scale : camera.scale / Math.cos((centreOf(camera).latitude * Math.PI) / 180);
}

function scaleFor(shows: Shows, local: number, { latitude }: Place): number {
  return shows === 'world' ? local : local * Math.cos((latitude * Math.PI) / 180);
}

/** The whole world. */
export function wholeWorld({ width, height }: Size): Camera {
  const [right, top] = edgesOf('world');
  const scale = Math.min((width - 2 * margin) / right, (height - 2 * margin) / top) / 2;
  return { shows: 'world', x: 0, y: 0, scale: Math.max(scale, 1) };
}

/** How many times larger the centre is shown than in a view of the whole world. */
export const zoomOf = (camera: Camera, size: Size): number => localScale(camera) / wholeWorld(size).scale;

/** The place at a point on the canvas; null outside the world. */
export function placeAt({ shows, x, y, scale }: Camera, { width, height }: Size, at: Point): Place | null {
  const inProjection: Point = [x + (at[0] - width / 2) / scale, y + (at[1] - height / 2) / scale];
  const place = unproject(shows, inProjection);
  const isInside = Math.abs(inProjection[1]) <= edgesOf(shows)[1] && Math.abs(place.longitude) <= 180;
  return isInside ? place : null;
}

/** A place's point on the canvas. */
export function pointOf({ shows, x, y, scale }: Camera, { width, height }: Size, place: Place): Point {
  const [atX, atY] = project(shows, place);
  return [width / 2 + (atX - x) * scale, height / 2 + (atY - y) * scale];
}

/** The camera moved by pixels, but no further than until its centre is at the world's edge. */
export function moved(camera: Camera, [right, down]: Point): Camera {
  const [mostX, mostY] = edgesOf(camera.shows);
  return {
    ...camera,
    x: clamp(camera.x + right / camera.scale, -mostX, mostX),
    y: clamp(camera.y + down / camera.scale, -mostY, mostY),
  };
}

/** The camera with a place at the canvas's centre. @param local pixels per radian there */
function centred(place: Place, local: number, size: Size): Camera {
  const least = wholeWorld(size).scale;
  const inside = clamp(local, least, maxScale);
  const shows = inside >= closeFrom * least ? 'close' : 'world';
  const [x, y] = project(shows, place);
  return { shows, x, y, scale: scaleFor(shows, inside, place) };
}

/** Web maps use Mercator, which stretches the land towards the poles. They have nothing beyond its edge. */
const webStretch = ({ latitude }: Place): number => 1 / Math.max(0.08, Math.cos((latitude * Math.PI) / 180));
const webRadian = 256 / (2 * Math.PI);

/** A camera's position, independent of its canvas's size. */
export function positionOf(camera: Camera): MapPosition {
  const centre = centreOf(camera);
  return { ...centre, zoom: Math.log2(localScale(camera) / webStretch(centre) / webRadian) };
}

/** The camera at a position. It shows more on a larger canvas. */
export const cameraAt = (at: MapPosition, size: Size): Camera =>
  centred(at, webRadian * 2 ** Math.min(at.zoom, 24) * webStretch(at), size);

/** The camera zoomed in by a factor. The place at the given point stays there. */
export function zoomed(camera: Camera, size: Size, factor: number, at: Point): Camera {
  const fixed = placeAt(camera, size, at);
  const closer = centred(centreOf(camera), localScale(camera) * factor, size);
  if (fixed === null) return closer;
  const now = pointOf(closer, size, fixed);
  return moved(closer, [now[0] - at[0], now[1] - at[1]]);
}

/** The camera that shows a whole area. */
export function fitted(bounds: Bounds, size: Size): Camera {
  const world = wholeWorld(size);
  const { west, south, east, north } = widened(bounds);
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2];
  const inside = (shows: Shows): Camera => {
    const corners = [west, east].flatMap((longitude) =>
      [south, latitude, north].map((latitude) => project(shows, { longitude, latitude })),
    );
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min(
      Math.max(size.width - 2 * margin, 1) / (right - left),
      Math.max(size.height - 2 * margin, 1) / (bottom - top),
    );
    return { shows, x: (left + right) / 2, y: (top + bottom) / 2, scale };
  };
  const close = inside('close');
  if (localScale(close) >= closeFrom * world.scale)
    return { ...close, scale: Math.min(close.scale, scaleFor('close', maxScale, { longitude, latitude })) };
  const wide = inside('world');
  return wide.scale <= world.scale ? world : { ...wide, scale: Math.min(wide.scale, closeFrom * world.scale * 0.99) };
}

function widened({ west, south, east, north }: Bounds): Bounds {
  const [x, y] = [west, south].map((from, at) => Math.max(0, leastExtent - ([east, north][at] ?? 0) + from) / 2);
  return { west: west - (x ?? 0), south: south - (y ?? 0), east: east + (x ?? 0), north: north + (y ?? 0) };
}

/** The area on the canvas, including its corners, where the world projection shows less. */
export function boundsOf({ shows, x, y, scale }: Camera, { width, height }: Size): Bounds {
  const [halfWidth, halfHeight] = [width / 2 / scale, height / 2 / scale];
  const [north, south] = [-halfHeight, halfHeight].map((down) => unproject(shows, [x, y + down]).latitude);
  const reached = [north ?? 90, south ?? -90];
  const longitudes = (at: number) =>
    reached.map((latitude) => clamp((180 * at) / edgesOf(shows, latitude)[0], -180, 180));
  const [, top] = edgesOf(shows);
  // Mercator has no poles: at its edge, the view includes everything beyond.
  return {
    west: Math.min(...longitudes(x - halfWidth)),
    east: Math.max(...longitudes(x + halfWidth)),
    north: y - halfHeight <= -top ? 90 : (north ?? 90),
    south: y + halfHeight >= top ? -90 : (south ?? -90),
  };
}
