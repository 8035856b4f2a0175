/** Draws the map on a canvas: land, then points or cells, then names. */
import type { InView, Spot } from './asks.ts';
import { type Camera, pointOf, type Size } from './camera.ts';
import type { Cell } from './cells.ts';
import type { Land } from './land.ts';
import type { Bounds } from './places.ts';
import type { Point } from './projections.ts';
import type { LoadedTile } from './use-tiles.ts';

export interface Colours {
  readonly sea: string;
  readonly land: string;
  readonly line: string;
  readonly accent: string;
  readonly ink: string;
}

export interface Picture {
  readonly size: Size;
  readonly camera: Camera;
  readonly land: Land | null;
  readonly tiles: readonly LoadedTile[];
  readonly shown: InView | null;
  /** Whether the records with the largest values are labelled. */
  readonly hasNames: boolean;
  readonly radiusOf: (spot: Spot) => number;
  /** The record under the pointer, or the one whose link has the focus. */
  readonly pointed: Spot | null;
}

const maxNames = 26;
const font = '600 12px system-ui, sans-serif';

/** The theme's colours, which the style sheet has as registered properties. */
function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const [sea = '', land = '', line = '', accent = '', ink = ''] = ['sea', 'land', 'line', 'accent', 'ink'].map((name) =>
    style.getPropertyValue(`--map-${name}`),
  );
  return { sea, land, line, accent, ink };
}

export function draw(canvas: HTMLCanvasElement, picture: Picture): void {
  const { size, land, tiles, shown, hasNames, pointed } = picture;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const colours = coloursOf(canvas);
  const sharpness = devicePixelRatio;
  const [width, height] = [size.width, size.height].map((length) => Math.round(length * sharpness));
  if (canvas.width !== width) canvas.width = width ?? 0;
  if (canvas.height !== height) canvas.height = height ?? 0;
  pen.setTransform(sharpness, 0, 0, sharpness, 0, 0);
  pen.fillStyle = colours.sea;
  pen.fillRect(0, 0, size.width, size.height);
  if (land !== null) drawLand(pen, picture, land, colours);
  // Half a pixel more hides the seams between tiles.
  for (const { image, left, top, side } of tiles) pen.drawImage(image, left, top, side + 0.5, side + 0.5);
  if (land !== null) drawLayers(pen, picture, land, colours);
  if (shown === null) return;
  drawCells(pen, picture, shown.cells, colours);
  // The list has the largest spots first, so they are drawn first and do not hide the smaller ones.
  pen.lineWidth = 1;
  pen.strokeStyle = colours.accent;
  for (const spot of shown.spots) drawSpot(pen, picture, spot, spot === pointed ? colours.accent : null, colours);
  if (pointed !== null) drawSpot(pen, picture, pointed, colours.accent, colours);
  if (hasNames) drawNames(pen, picture, shown.spots, colours);
}

/** After this call, the pen draws in units of the projection. */
function enter(pen: CanvasRenderingContext2D, { size, camera }: Picture): void {
  pen.save();
  pen.translate(size.width / 2, size.height / 2);
  pen.scale(camera.scale, camera.scale);
  pen.translate(-camera.x, -camera.y);
}

function drawLayers(pen: CanvasRenderingContext2D, picture: Picture, { layers }: Land, { ink }: Colours): void {
  enter(pen, picture);
  pen.strokeStyle = ink;
  pen.lineWidth = 1.2 / picture.camera.scale;
  pen.globalAlpha = 0.55;
  pen.stroke(layers);
  pen.restore();
}

function drawLand(pen: CanvasRenderingContext2D, picture: Picture, drawing: Land, colours: Colours): void {
  const { scale } = picture.camera;
  enter(pen, picture);
  pen.fillStyle = colours.land;
  pen.fill(drawing.land, 'evenodd');
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1 / scale;
  pen.stroke(drawing.land);
  pen.lineWidth = 0.8 / scale;
  pen.stroke(drawing.borders);
  pen.globalAlpha = 0.35;
  if (drawing.grid !== null) pen.stroke(drawing.grid);
  pen.restore();
}

function drawSpot(
  pen: CanvasRenderingContext2D,
  { size, camera, radiusOf }: Picture,
  spot: Spot,
  fill: string | null,
  { accent }: Colours,
): void {
  const [x, y] = pointOf(camera, size, spot);
  const radius = radiusOf(spot);
  if (x < -radius || y < -radius || x > size.width + radius || y > size.height + radius) return;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill ?? accent;
  pen.globalAlpha = fill === null ? 0.35 : 0.85;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
}

function drawCells(
  pen: CanvasRenderingContext2D,
  { size, camera }: Picture,
  cells: readonly Cell[],
  { accent }: Colours,
): void {
  const most = cells[0]?.count ?? 1;
  pen.fillStyle = accent;
  for (const cell of cells) {
    pen.globalAlpha = shadeOf(cell.count, most);
    pen.beginPath();
    for (const [x, y] of cornersOf(camera, size, cell)) pen.lineTo(x, y);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

/** How dark a cell is, on a logarithmic scale: a city may have a thousand times as many records as a village. */
export const shadeOf = (count: number, most: number): number =>
  0.15 + 0.75 * (most > 1 ? Math.log(count) / Math.log(most) : 1);

function cornersOf(camera: Camera, size: Size, { west, south, east, north }: Bounds): readonly Point[] {
  const corners = [
    { longitude: west, latitude: north },
    { longitude: east, latitude: north },
    { longitude: east, latitude: south },
    { longitude: west, latitude: south },
  ];
  return corners.map((corner) => pointOf(camera, size, corner));
}

function drawNames(
  pen: CanvasRenderingContext2D,
  { size, camera, radiusOf }: Picture,
  spots: readonly Spot[],
  { land, ink }: Colours,
): void {
  pen.font = font;
  pen.lineJoin = 'round';
  pen.lineWidth = 3;
  pen.strokeStyle = land;
  pen.fillStyle = ink;
  const used: (readonly [left: number, top: number, right: number])[] = [];
  for (const spot of spots) {
    if (used.length === maxNames) return;
    const [x, y] = pointOf(camera, size, spot);
    if (x < 0 || y < 0 || x > size.width || y > size.height) continue;
    const name = spot.label.slice(0, 40);
    const [beside, width] = [radiusOf(spot) + 4, pen.measureText(name).width];
    // At the map's right edge, put the name on the left of its point.
    const left = x + beside + width > size.width ? x - beside - width : x + beside;
    const right = left + width + 4;
    if (left < 0 || used.some((one) => left < one[2] && right > one[0] && Math.abs(y - one[1]) < 15)) continue;
    used.push([left, y, right]);
    pen.strokeText(name, left, y + 4);
    pen.fillText(name, left, y + 4);
  }
}
