import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Stream } from '../model/http.ts';
import { weights } from '../values/weights.ts';

/** Whether `Accept-Encoding` prefers gzip to no encoding (RFC 9110 12.5.3); false without the header. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const accepted = weights(header);
  const gzip = accepted.get('gzip') ?? accepted.get('x-gzip') ?? accepted.get('*') ?? 0;
  return gzip > 0 && gzip >= (accepted.get('identity') ?? 0);
}

export function gzipped({ pieces, broken }: Stream): Stream {
  const gzip = createGzip();
  // `pipeline` stops the source when nobody reads any more, and passes the source's errors on to the reader.
  pipeline(Readable.from(pieces), gzip, () => undefined);
  return { pieces: gzip, broken };
}
