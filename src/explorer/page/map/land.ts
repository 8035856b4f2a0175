/** Land and borders, loaded on demand from our own origin, and turned into paths once per projection. */

import fine from 'land:countries-50m.json';
import coarse from 'land:countries-110m.json';
import { site } from '../ask/site.ts';
import { project, type Shows } from './projections.ts';

/** A file as the build makes it. */
interface LandFile {
  /** The lines' unit is a degree divided by this number. */
  readonly precision: number;
  /** Longitude and latitude of the first point, then the steps to the following ones. */
  readonly land: readonly (readonly number[])[];
  readonly borders: readonly (readonly number[])[];
}

/** Paths in units of the projection. */
export interface Land {
  readonly land: Path2D;
  readonly borders: Path2D;
  /** Meridians and parallels; null where they would not help. */
  readonly grid: Path2D | null;
  /** The lines of the site's map layers. */
  readonly layers: Path2D;
}

export type Detail = 'coarse' | 'fine';
const addresses: Readonly<Record<Detail, string>> = { coarse, fine };
const files = new Map<Detail, Promise<LandFile>>();
const drawn = new Map<string, Promise<Land>>();

/** The land in a projection. It is loaded and projected only once. */
export const loadLand = (shows: Shows, detail: Detail): Promise<Land> =>
  once(drawn, `${shows} ${detail}`, async () => {
    const [file, layers] = await Promise.all([
      once(files, detail, () => read<LandFile>(addresses[detail])),
      loadLayers(),
    ]);
    return landOf(file, layers, shows);
  });

type Lines = readonly (readonly number[])[];
const layerFiles = new Map<string, Promise<Lines>>();

/** The lines of all layers, each with its points' longitudes and latitudes. A layer that cannot be loaded is left out. */
const loadLayers = async (): Promise<Lines> => {
  const all = site.map.layers.map(({ file }) => once(layerFiles, file, () => read<Lines>(file)).catch(() => []));
  return (await Promise.all(all)).flat();
};

/** Caches what was loaded, but not a failure. */
function once<Key, Value>(kept: Map<Key, Promise<Value>>, key: Key, load: () => Promise<Value>): Promise<Value> {
  const value = kept.get(key) ?? load();
  kept.set(key, value);
  value.catch(() => kept.delete(key));
  return value;
}

async function read<File>(name: string): Promise<File> {
  const url = new URL(name, import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return response.json();
}

function landOf({ precision, land, borders }: LandFile, layers: Lines, shows: Shows): Land {
  const lines = (all: LandFile['land']): Path2D => {
    const path = new Path2D();
    for (const line of all) {
      let [longitude, latitude] = [0, 0];
      for (let at = 0; at < line.length; at += 2) {
        longitude += (line[at] ?? 0) / precision;
        latitude += (line[at + 1] ?? 0) / precision;
        const [x, y] = project(shows, { longitude, latitude });
        if (at === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
    }
    return path;
  };
  return {
    ...{ land: lines(land), borders: lines(borders), grid: shows === 'world' ? gridOf(shows) : null },
    layers: layersOf(layers, shows),
  };
}

function layersOf(layers: Lines, shows: Shows): Path2D {
  const path = new Path2D();
  for (const line of layers)
    for (let at = 0; at < line.length; at += 2) {
      const [x, y] = project(shows, { longitude: line[at] ?? 0, latitude: line[at + 1] ?? 0 });
      if (at === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
  return path;
}

/** A meridian and a parallel every ten degrees. */
function gridOf(shows: Shows): Path2D {
  const path = new Path2D();
  const lineTo = (longitude: number, latitude: number) => path.lineTo(...project(shows, { longitude, latitude }));
  const moveTo = (longitude: number, latitude: number) => path.moveTo(...project(shows, { longitude, latitude }));
  for (let longitude = -180; longitude <= 180; longitude += 10) {
    moveTo(longitude, -90);
    for (let latitude = -90; latitude <= 90; latitude += 2) lineTo(longitude, latitude);
  }
  for (let latitude = -80; latitude <= 80; latitude += 10) {
    moveTo(-180, latitude);
    lineTo(180, latitude);
  }
  return path;
}
