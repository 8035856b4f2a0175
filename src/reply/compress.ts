import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Stream } from '../model/http.ts';

/** Whether an `Accept-Encoding` prefers gzip to none (RFC 9110 12.5.3). Who says nothing, wants nothing. */
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
  // Whoever stops reading here makes the other end stop, too; what is thrown there is thrown here.
  pipeline(Readable.from(pieces), gzip, () => undefined);
  return { pieces: gzip, broken };
}
