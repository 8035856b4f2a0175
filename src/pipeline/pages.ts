/** The answers that list what a caller may read: the front page and the OpenAPI document. */
import type { IncomingRequest } from '../accept/incoming.ts';
import { openApiText } from '../actions/openapi/document.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { type Caller, dumpFormats, type Reply } from '../model/http.ts';
import { type ConditionalHeaders, cacheControl, cachedReply, isSentZipped } from '../reply/cached-reply.ts';
import { acceptsGzip } from '../reply/compress.ts';
import * as formats from '../reply/formats/index.ts';
import { frontPage } from '../reply/front-page.ts';
import { inSlices } from '../values/slices.ts';
import type { Call } from './begin.ts';
import { single } from './classify.ts';
import { overviewOf, siteOf } from './site.ts';

export function front(gateway: Gateway, caller: Caller | null): Reply {
  const { headers, body } = frontPage(overviewOf(gateway, caller));
  return { status: 200, headers: { ...headers, 'Cache-Control': listing(gateway) }, body };
}

/** The media types of downloads. */
const mediaTypes = dumpFormats.map((name) => formats[name].mediaType);

/** The OpenAPI document of the resources that this caller may read. It is cached until settings or catalogues change. */
export async function openApi(call: Call): Promise<Reply> {
  const { gateway, request } = call;
  const { cache, settings, version } = gateway;
  const readable = siteOf(call);
  const rights = gateway.hash(JSON.stringify(readable.resources.map(({ id }) => id)));
  const always = { ttl: Number.POSITIVE_INFINITY, staleIfError: 0, unproved: 0, isFailure: () => false };
  const lookup = await cache.results.find(`openapi ${version} ${rights}`, always, request.gone(), async () => ({
    body: await inSlices(openApiText(readable, settings.limits, mediaTypes)),
    lasts: Number.POSITIVE_INFINITY,
    mayStore: () => true,
  }));
  const wants = wantsOf(request);
  if (isSentZipped(lookup.entry, acceptsGzip(wants.acceptEncoding))) await lookup.entry.gzip();
  return cachedReply(lookup, wants, listing(gateway), performance.now());
}

/** `Cache-Control` of listings, which may differ between callers. */
export function listing(gateway: Gateway): string {
  return cacheControl(gateway.resources.some(({ access }) => access.read === 'token'));
}

export function wantsOf(request: Pick<IncomingRequest, 'headers'>): ConditionalHeaders {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
  return { ifNoneMatch: single(ifNoneMatch), acceptEncoding: single(acceptEncoding) };
}
