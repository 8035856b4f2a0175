import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { Reply, Stream } from '../model/http.ts';
import { acceptsGzip, minZippedBytes } from './cached-reply.ts';

/** The same stream, compressed. */
export function gzipped({ pieces, broken }: Stream): Stream {
  const gzip = createGzip();
  // `pipeline` stops the source when the reader goes away, and passes the source's errors on to the reader.
  pipeline(Readable.from(pieces), gzip, () => undefined);
  return { pieces: gzip, broken };
}

/** The same reply, compressed if the client accepts that and the body is long enough. @param accepted the request's `Accept-Encoding` */
export async function compressed(reply: Reply, accepted: string | undefined): Promise<Reply> {
  const { headers, body } = reply;
  if (typeof body !== 'string' || body.length < minZippedBytes) return reply;
  const varied = { ...headers, Vary: [headers.Vary, 'Accept-Encoding'].filter((one) => one !== undefined).join(', ') };
  if (!acceptsGzip(accepted)) return { ...reply, headers: varied };
  return { ...reply, headers: { ...varied, 'Content-Encoding': 'gzip' }, body: await promisify(gzip)(body) };
}
