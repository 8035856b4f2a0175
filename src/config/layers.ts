/** Reads the layers of the explorer's map: GeoJSON files, of which we keep only the lines. */
import { createHash } from 'node:crypto';
import type { Finding } from './complaints.ts';
import { itemsAt, valueAt } from './structure.ts';

export interface Layer {
  readonly title: string;
  /** The layer's file name in the explorer, which contains a hash of the content. */
  readonly name: string;
  /** A JSON list of lines. Each line is a flat list of its points' longitudes and latitudes: `[lon, lat, lon, lat, …]`. */
  readonly lines: string;
}

const maxBytes = 1_000_000;
const must = 'a file of GeoJSON with lines or polygons, at most 1MB';

/**
 * Reads the files of `explorer.map.layers`.
 * @param tree the configuration as plain values, valid or not
 * @param read returns the text of a file; null if it cannot be read
 */
export function readLayers(
  tree: unknown,
  read: (file: string) => string | null,
): { readonly layers: readonly Layer[]; readonly findings: readonly Finding[] } {
  const layers: Layer[] = [];
  const findings: Finding[] = [];
  for (const path of itemsAt(tree, ['explorer', 'map', 'layers'])) {
    const [file, title] = ['file', 'title'].map((name) => valueAt(tree, [...path, name]));
    if (typeof file !== 'string' || typeof title !== 'string') continue;
    const lines = linesIn(read(file));
    if (typeof lines === 'string') findings.push({ path: [...path, 'file'], must: `${must}; ${lines}`, got: file });
    else {
      const json = JSON.stringify(lines);
      const hash = createHash('sha256').update(json).digest('hex').slice(0, 8);
      layers.push({ title, name: `layer.${hash}.json`, lines: json });
    }
  }
  return { layers, findings };
}

type Lines = readonly (readonly number[])[];

/** The lines of GeoJSON, or what is wrong with it. */
function linesIn(text: string | null): Lines | string {
  if (text === null) return 'it cannot be read';
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) return `it has ${bytes} bytes`;
  try {
    return linesOf(JSON.parse(text));
  } catch (error) {
    return error instanceof Unfit ? error.message : 'it is no JSON';
  }
}

class Unfit extends Error {}

/** The lines of a GeoJSON object (RFC 7946). Throws `Unfit`. */
function linesOf(value: unknown): Lines {
  const member = (name: string) => valueAt(value, [name]);
  const coordinates = member('coordinates');
  const type = member('type');
  switch (type) {
    case 'FeatureCollection':
      return listOf(member('features')).flatMap(linesOf);
    case 'Feature':
      return member('geometry') === null ? [] : linesOf(member('geometry'));
    case 'GeometryCollection':
      return listOf(member('geometries')).flatMap(linesOf);
    case 'LineString':
      return [lineOf(coordinates)];
    case 'MultiLineString':
    case 'Polygon':
      return listOf(coordinates).map(lineOf);
    case 'MultiPolygon':
      return listOf(coordinates).flatMap(listOf).map(lineOf);
    default:
      throw new Unfit(typeof type === 'string' ? `it has a ${type.slice(0, 40)}` : 'it has an object without a type');
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unfit('it has an object without its list');
  return value;
}

/** A line, rounded to five decimals, which is about a metre. */
function lineOf(value: unknown): readonly number[] {
  return listOf(value).flatMap((position) => {
    const [longitude, latitude] = listOf(position);
    if (!(isWithin(longitude, 180) && isWithin(latitude, 90)))
      throw new Unfit(`it has the position ${JSON.stringify(position).slice(0, 60)}, which is not in degrees (WGS 84)`);
    return [longitude, latitude].map((degrees) => Number(degrees.toFixed(5)));
  });
}

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most;
