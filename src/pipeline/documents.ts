import { CacheHandle } from '../cache/handle.ts';
import type { Reply } from '../model/http.ts';
import { acceptsGzip, type CacheHeaders, cachedReply, isSentZipped } from '../reply/cached-reply.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import type { Call } from './call.ts';
import { conditionalHeadersOf } from './classify.ts';

/**
 * The reply with a document. Its name covers everything that the document depends on, so no commit makes it stale: it is made once, and
 * stays in the cache.
 * @param make makes the text
 */
export async function documentReply(
  { gateway, request, received, signal }: Call,
  name: string,
  make: () => Steps<string>,
  headers: CacheHeaders,
): Promise<Reply> {
  const { cache } = gateway;
  const handle = new CacheHandle(name, [], Number.POSITIVE_INFINITY, null, cache.generations);
  const found = await cache.results.lookUp(handle, { received, refusesCached: false, signal }, 0);
  if (found.is === 'suspended') throw new TypeError('no commit changes the document');
  const load = async () => ({ body: await inSlices(make()), lifetimeMs: Number.POSITIVE_INFINITY });
  const lookup = found.is === 'entry' ? found : await found.load.fill(load());
  const wants = conditionalHeadersOf(request);
  if (isSentZipped(lookup.entry, acceptsGzip(wants.acceptEncoding))) await lookup.entry.gzip();
  return cachedReply(lookup, wants, headers, performance.now());
}
