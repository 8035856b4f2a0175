/** Pages that list what a caller may read: the front page and the OpenAPI document. */
import { urlencoded } from '../accept/form.ts';
import type { Route } from '../accept/route.ts';
import type { Listed, Site } from '../actions/action.ts';
import { openApiText } from '../actions/openapi/document.ts';
import type { Gateway } from '../app/gateway.ts';
import { dumpFormats, type Reply } from '../model/http.ts';
import { cacheControl } from '../reply/cached-reply.ts';
import * as formats from '../reply/formats/index.ts';
import { frontPage } from '../reply/front-page.ts';
import type { Call } from './call.ts';
import { documentReply } from './documents.ts';
import { present, resolve } from './plan.ts';
import { overviewOf, siteOf } from './site.ts';

export async function front(call: Call): Promise<Reply> {
  const { gateway } = call;
  const { headers, body } = frontPage(overviewOf(gateway.settings, await siteOf(call).resources()));
  return { status: 200, headers: { ...headers, Vary: 'Accept', 'Cache-Control': listing(gateway) }, body };
}

/** The media types of downloads. */
const mediaTypes = dumpFormats.map((name) => formats[name].mediaType);

/**
 * The OpenAPI document of the resources that this caller may read, or of the resource in `?resource_id=`. It is cached until settings or
 * a catalogue change. Throws 404, 403 or 503 if that resource cannot be described.
 */
export async function openApi(call: Call<Extract<Route, { to: 'openapi' }>>): Promise<Reply> {
  const { gateway, route } = call;
  const { settings, version } = gateway;
  const query = new Map([...urlencoded(route.query, settings.limits.parameters)].reverse());
  const site = siteOf(call);
  const id = query.get('resource_id') ?? '';
  const listed = id === '' ? await site.resources() : await described(gateway, site, id);
  const rights = gateway.hash(JSON.stringify([listed.isComplete, ...listed.resources.map(({ id }) => id)]));
  const name = `openapi-${version}-${rights}`;
  const headers = { control: listing(gateway), vary: gateway.vary };
  return documentReply(call, name, () => openApiText(site, listed, settings.limits, mediaTypes), headers);
}

async function described(gateway: Gateway, site: Site, name: string): Promise<Listed> {
  const resource = resolve(gateway, name);
  const readable = await site.resource(name);
  present(resource);
  return { caller: null, resources: readable === undefined ? [] : [readable], isComplete: true };
}

/** The `Cache-Control` of pages that list resources. If reading one needs a token, the list differs between callers. */
export function listing(gateway: Gateway): string {
  return cacheControl(gateway.resources.some(({ access }) => access.read !== 'public'));
}
