/** Land and borders, loaded on demand from our own origin, and drawn once for each projection. */

import fine from 'land:countries-50m.json';
import coarse from 'land:countries-110m.json';
import { type GeoPermissibleObjects, type GeoStream, geoGraticule10, geoStream } from 'd3-geo';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { type Camera, projections } from './camera.ts';

export interface Land {
  readonly land: Path2D;
  readonly borders: Path2D;
  /** Meridians and parallels; null where they would not help. */
  readonly grid: Path2D | null;
}

type Detail = 'coarse' | 'fine';
const files: Readonly<Record<Detail, string>> = { coarse, fine };
const loading = new Map<Detail, Promise<Topology>>();
const drawn = new Map<string, Promise<Land>>();

/** The land for a camera. It is loaded and projected once. */
export function loadLand({ shows }: Pick<Camera, 'shows'>, detail: Detail): Promise<Land> {
  const name = `${shows} ${detail}`;
  const land = drawn.get(name) ?? load(detail).then((topology) => landOf(topology, shows));
  drawn.set(name, land);
  land.catch(() => drawn.delete(name));
  return land;
}

function load(detail: Detail): Promise<Topology> {
  const topology = loading.get(detail) ?? read(new URL(files[detail], import.meta.url));
  loading.set(detail, topology);
  topology.catch(() => loading.delete(detail));
  return topology;
}

async function read(url: URL): Promise<Topology> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return response.json();
}

function landOf(topology: Topology, shows: Camera['shows']): Land {
  const path = (shape: GeoPermissibleObjects) => pathOf(shape, shows);
  const { land, borders } = topology.objects;
  if (land === undefined || borders === undefined) throw new Error('no land');
  return {
    land: path(feature(topology, land)),
    borders: path(feature(topology, borders)),
    grid: shows === 'world' ? path(geoGraticule10()) : null,
  };
}

/** Not `geoPath`: it also measures, which doubles its code. */
function pathOf(shape: GeoPermissibleObjects, shows: Camera['shows']): Path2D {
  const drawing = new Path2D();
  let [isFirst, isRing] = [true, false];
  const stream: GeoStream = {
    point(x, y) {
      if (isFirst) drawing.moveTo(x, y);
      else drawing.lineTo(x, y);
      isFirst = false;
    },
    lineStart() {
      isFirst = true;
    },
    lineEnd() {
      if (isRing) drawing.closePath();
    },
    polygonStart() {
      isRing = true;
    },
    polygonEnd() {
      isRing = false;
    },
  };
  geoStream(shape, projections[shows].stream(stream));
  return drawing;
}
