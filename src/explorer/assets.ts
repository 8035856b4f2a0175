/** Serves the explorer's built files, which are read once and kept in memory. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Reply } from '../model/http.ts';
import { weights } from '../values/weights.ts';
import { pageHeaders } from './shell.ts';

/** A file with its compressed copies. */
interface Asset {
  readonly type: string;
  /** Null if only the compressed copies exist, as for the map's land. */
  readonly bytes: Uint8Array | null;
  readonly br: Uint8Array;
  readonly gzip: Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain;charset=utf-8',
};

/** The `Cache-Control` of files whose names contain a hash of their content. */
export const immutable = 'public, max-age=31536000, immutable';

/** The folder with the built files. The path is right both from `src/explorer` and from `dist/explorer`. */
const builtFolder = resolve(import.meta.dirname, '../../dist/explorer/page');

export class Assets {
  readonly #folder: string;
  #files: Promise<ReadonlyMap<string, Asset>> | null = null;

  /** @param folder where `npm run build` puts the files */
  constructor(folder = builtFolder) {
    this.#folder = folder;
  }

  /** The names of the files that the page loads first. Throws if they have not been built. */
  async entry(): Promise<{ readonly script: string; readonly style: string; readonly icon: string }> {
    const names = [...(await this.#read()).keys()];
    const find = (pattern: RegExp) => {
      const name = names.find((one) => pattern.test(one));
      if (name === undefined) throw new Error(`${this.#folder} has no ${pattern}: run npm run build`);
      return name;
    };
    return { script: find(/^main\.\w+\.js$/), style: find(/^style\.\w+\.css$/), icon: find(/^icon\.\w+\.svg$/) };
  }

  /**
   * Answers a request for a file.
   * @param accepted the request's `Accept-Encoding`
   * @param ifNoneMatch the request's `If-None-Match`
   * @returns null if there is no such file
   */
  async reply(name: string, accepted = '', ifNoneMatch = ''): Promise<Reply | null> {
    const asset = (await this.#read()).get(name);
    if (asset === undefined) return null;
    const { type, bytes } = asset;
    const coding = codingOf(accepted);
    // The name contains the content's hash. A strong ETag must also differ by coding (RFC 9110 8.8.3.3).
    const etag = `"${name}${coding === null ? '' : `.${coding}`}"`;
    const headers = {
      'Cache-Control': immutable,
      Vary: 'Accept-Encoding',
      ETag: etag,
      ...pageHeaders(),
    };
    if (ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
      return { status: 304, headers, body: '' };
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': type, ...(coding === null ? {} : { 'Content-Encoding': coding }) },
      body: coding === null ? (bytes ?? (await promisify(gunzip)(asset.gzip))) : asset[coding],
    };
  }

  #read(): Promise<ReadonlyMap<string, Asset>> {
    this.#files ??= readAll(this.#folder).catch((error: unknown) => {
      this.#files = null;
      throw error;
    });
    return this.#files;
  }
}

/** The coding that `Accept-Encoding` prefers, brotli before gzip; null for no compression. */
function codingOf(header: string): 'br' | 'gzip' | null {
  const accepted = weights(header);
  const weight = (coding: string) => accepted.get(coding) ?? accepted.get('*') ?? 0;
  const best = weight('br') >= weight('gzip') ? 'br' : 'gzip';
  return weight(best) > 0 && weight(best) >= (accepted.get('identity') ?? 0) ? best : null;
}

async function readAll(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const all = new Set(await readdir(folder));
  const names = [...all]
    .flatMap((file) => (file.endsWith('.gz') ? [file.slice(0, -'.gz'.length)] : []))
    .filter((name) => types[extname(name)] !== undefined);
  const files = names.map(async (name): Promise<readonly [string, Asset]> => {
    const read = (ending: string) => readFile(join(folder, `${name}${ending}`));
    const [bytes, br, gzip] = await Promise.all([all.has(name) ? read('') : null, read('.br'), read('.gz')]);
    return [name, { type: types[extname(name)] ?? '', bytes, br, gzip }];
  });
  return new Map(await Promise.all(files));
}
