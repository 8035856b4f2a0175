/** What everybody may learn about public tables without the API: the head of the explorer's page, and the sitemap. */
import { setTimeout as sleep } from 'node:timers/promises';
import { headOf, headOfSite, sitemapOf } from '../explorer/head.ts';
import { datasetUrl } from '../metadata/downloads.ts';
import { dumpFormats, type Reply } from '../model/http.ts';
import type { Extremes } from '../model/metadata.ts';
import * as formats from '../reply/formats/index.ts';
import { isPublic } from '../tables/datasets.ts';
import type { Resolved } from '../tables/served.ts';
import type { Call } from './call.ts';
import { servesCatalog } from './catalogue.ts';
import { extremesFor } from './extremes.ts';

/** How long the page waits for the last change of its table: the database may be slow or down. */
const extremesWithinMs = 300;

/** The head of the page, the same for every caller; null for a table that is not public: it is not even named. */
export async function headFor(call: Call, id: string | null): Promise<string | null> {
  const { gateway, url } = call;
  const { title, description } = gateway.settings.server;
  if (id === null) return headOfSite(title, description, `${url}/datastore/explore`);
  const resource = gateway.byName.get(id);
  if (resource === undefined || !isPublic(resource)) return null;
  const { settings, table } = resource;
  const hasPlaces = typeof table === 'object' && table.about.roles.coordinates !== null;
  const dump = `${url}/datastore/dump/${encodeURIComponent(resource.id)}`;
  return headOf({
    ...{ title: settings.title, description: settings.description, metadata: settings.metadata },
    extremes: await extremesSoon(call, resource),
    columns: typeof table === 'string' ? [] : table.columns,
    url: addressOf(call, resource),
    site: { title, url: `${url}/` },
    dataset: servesCatalog(gateway) ? datasetUrl(settings.identity.dataset.name, url) : null,
    downloads: dumpFormats
      .filter((name) => name !== 'geojson' || hasPlaces)
      .map((name) => ({ mediaType: formats[name].mediaType, url: `${dump}?format=${name}` })),
  });
}

/**
 * The extremes that everybody may see, if they are there in time. Rate limits do not cover the page, so it must not become a way to the
 * database past the cache: a slow read goes on after the page is sent, and its result is cached.
 */
async function extremesSoon(call: Call, resource: Resolved): Promise<Extremes | null> {
  if (resource.cacheTtl === 0) return null;
  const { signal } = new AbortController();
  const anonymous = { ...call, sender: 'no token', refusesCached: false, signal } as const;
  const reading = extremesFor(anonymous, resource, call.gateway.settings.limits.totalBudget);
  return Promise.race([reading, sleep(extremesWithinMs, null, { ref: false })]);
}

/** The page URLs of all public tables. The same with and without a token, because search engines show the list to everybody. */
export function sitemap(call: Call): Reply {
  const tables = call.gateway.resources.filter(isPublic).map((one) => addressOf(call, one));
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml;charset=utf-8', 'Cache-Control': 'no-cache' },
    body: sitemapOf([`${call.url}/datastore/explore`, ...tables]),
  };
}

const addressOf = ({ url }: Call, { id }: Resolved): string => `${url}/datastore/explore/${encodeURIComponent(id)}`;
