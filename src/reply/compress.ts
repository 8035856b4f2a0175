import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Stream } from '../model/http.ts';

/** Whether an `Accept-Encoding` prefers gzip to no encoding (RFC 9110 12.5.3). Without the header it does not. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map(
    header.split(',').map((item) => {
      const [coding = '', ...more] = item.split(';').map((part) => part.trim().toLowerCase());
      const weight = more.find((part) => part.startsWith('q='))?.slice(2);
      return [coding === 'x-gzip' ? 'gzip' : coding, weight === undefined ? 1 : Number(weight) || 0];
    }),
  );
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

export function gzipped({ pieces, broken }: Stream): Stream {
  const gzip = createGzip();
  // `pipeline` ends the source when the reader stops, and passes the source's errors on to the reader.
  pipeline(Readable.from(pieces), gzip, () => undefined);
  return { pieces: gzip, broken };
}
