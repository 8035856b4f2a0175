import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Stream } from '../model/http.ts';

/** The same stream, compressed. */
export function gzipped({ pieces, broken }: Stream): Stream {
  const gzip = createGzip();
  // `pipeline` stops the source when nobody reads any more, and passes the source's errors on to the reader.
  pipeline(Readable.from(pieces), gzip, () => undefined);
  return { pieces: gzip, broken };
}
