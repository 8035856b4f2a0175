/** The catalogue for harvesters: its documents, and the datasets that its actions list. It is the same with and without a token. */
import { urlencoded } from '../accept/form.ts';
import type { Route } from '../accept/route.ts';
import type { Gateway } from '../app/gateway.ts';
import { dataJsonText } from '../metadata/data-json.ts';
import { latest } from '../metadata/dated.ts';
import { catalogText, datasetText } from '../metadata/dcat.ts';
import { utcOf } from '../metadata/times.ts';
import { malformed, notFound } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import type { CatalogHead, Dataset, DatedDataset } from '../model/metadata.ts';
import type { Resolved } from '../tables/served.ts';
import type { Steps } from '../values/slices.ts';
import { weights } from '../values/weights.ts';
import type { Call } from './call.ts';
import { header } from './classify.ts';
import { documentReply } from './documents.ts';
import { extremesOfAll } from './extremes.ts';

/** The number of datasets on a page of the catalogue. */
const pageLength = 500;

/** How long an answer waits for the last changes of its tables: a harvester has time, and most changes are in the cache. */
const changesWithinMs = 10_000;

/** Whether the addresses of the catalogue are ours. With an upstream they are the upstream's. */
export const servesCatalog = ({ settings }: Gateway): boolean =>
  settings.catalog.serve === 'auto' && settings.upstream === null;

/** The datasets that the actions of the catalogue list. */
export const datasetsIn = ({ settings, datasets }: Gateway): readonly Dataset[] =>
  settings.catalog.serve === 'auto' ? datasets : [];

/**
 * The same datasets with their last changes, as everybody may see them. A table that is not cached shows no last change of its own, because
 * each call would have to ask its database.
 */
export async function dated(call: Call, datasets: readonly Dataset[]): Promise<readonly DatedDataset[]> {
  const { gateway } = call;
  const anonymous = { ...call, sender: 'no token', refusesCached: false } as const;
  const cached: Resolved[] = [];
  for (const { tables } of datasets)
    for (const { id } of tables) {
      const resource = gateway.byName.get(id);
      if (resource !== undefined && resource.cacheTtl > 0) cached.push(resource);
    }
  const extremes = await extremesOfAll(anonymous, cached, changesWithinMs);
  const changedAt = utcOf(gateway.changedAt);
  return datasets.map((dataset) => gateway.lastChanges.datedOf(dataset, extremes, changedAt));
}

/** A page of the catalogue, or all of it as `data.json`. Throws a 400 for a bad `page`, and a 404 beyond the last one. */
export async function catalog(call: Call<Extract<Route, { to: 'catalog' }>>): Promise<Reply> {
  const { gateway, route } = call;
  const headers = { control: 'no-cache', vary: 'Accept-Encoding' };
  const head = headOf(call);
  if (route.format === 'data.json') {
    const datasets = await dated(call, gateway.datasets);
    return documentReply(
      call,
      nameOf(call, 'data.json', datasets),
      () => joined(dataJsonText(head, datasets)),
      headers,
    );
  }
  const number = pageIn(route.query, gateway.settings.limits.parameters);
  const from = (number - 1) * pageLength;
  if (number > 1 && from >= gateway.datasets.length) throw notFound('the catalogue has no such page');
  // Only the first page says when the catalogue last changed, because that needs the last changes of all tables.
  const known = await dated(call, number === 1 ? gateway.datasets : gateway.datasets.slice(from, from + pageLength));
  const datasets = known.slice(0, pageLength);
  const modified = number === 1 ? latest([utcOf(gateway.changedAt), ...known.map(({ modified }) => modified)]) : null;
  const page = { number, hasNext: from + pageLength < gateway.datasets.length, modified, datasets };
  const name = nameOf(call, `page ${number} ${modified}`, datasets);
  return asJsonLd(await documentReply(call, name, () => joined(catalogText(head, page)), headers));
}

/** A dataset: JSON-LD for a client that asks for it, and for everybody else the page of its first table. Throws 404. */
export async function dataset(call: Call<Extract<Route, { to: 'dataset' }>>): Promise<Reply> {
  const { gateway, request, route } = call;
  const found = gateway.datasets.find(({ name, uuid }) => name === route.name || uuid === route.name);
  const [first] = found?.tables ?? [];
  if (found === undefined || first === undefined) throw notFound('no such dataset');
  const accepted = weights(header(request, 'accept'));
  const head = headOf(call);
  const wantsData = (accepted.get('application/ld+json') ?? 0) > (accepted.get('text/html') ?? 0);
  if (head.hasPages && !wantsData) {
    const page = `${gateway.settings.server.basePath}/datastore/explore/${encodeURIComponent(first.id)}`;
    return { status: 303, headers: { Location: page, Vary: 'Accept' }, body: '' };
  }
  const [one] = await dated(call, [found]);
  if (one === undefined) throw notFound('no such dataset');
  const headers = { control: 'no-cache', vary: 'Accept, Accept-Encoding' };
  const document = nameOf(call, 'dataset', [one]);
  return asJsonLd(await documentReply(call, document, () => joined([datasetText(one, head)]), headers));
}

function headOf({ gateway: { settings }, url }: Call): CatalogHead {
  const { server, catalog, explorer } = settings;
  const { title, description } = server;
  return { title, description, url, facts: catalog, hasPages: explorer.serve === 'auto' };
}

/** A name for a document with these datasets: it changes with the configuration, the catalogue of a database and each last change. */
function nameOf({ gateway }: Call, document: string, datasets: readonly DatedDataset[]): string {
  const times = datasets.map(({ name, from, to, tables }) => [
    name,
    from,
    to,
    ...tables.map(({ modified }) => modified),
  ]);
  return `catalog-${gateway.version}-${gateway.hash(JSON.stringify([document, times]))}`;
}

const asJsonLd = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'Content-Type': 'application/ld+json' },
});

function* joined(pieces: Iterable<string>): Steps<string> {
  const all: string[] = [];
  for (const piece of pieces) {
    all.push(piece);
    yield;
  }
  return all.join('');
}

function pageIn(query: string, maxParameters: number): number {
  const page = urlencoded(query, maxParameters).find(([name]) => name === 'page')?.[1] ?? '1';
  if (!/^[1-9]\d{0,5}$/.test(page)) throw malformed(`page must be a whole number from 1, got: ${page.slice(0, 100)}`);
  return Number(page);
}
