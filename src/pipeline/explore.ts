/** Serves the explorer: its page, with its scripts and styles. */
import type { Route } from '../accept/route.ts';
import { datastore_search } from '../actions/datastore_search.ts';
import { immutable } from '../explorer/assets.ts';
import { pageHeaders, shell } from '../explorer/shell.ts';
import { notFound } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import { compressed } from '../reply/compress.ts';
import type { Call } from './call.ts';
import { servesCatalog } from './catalogue.ts';
import { header, isBrowser } from './classify.ts';
import { resolve } from './plan.ts';
import { headFor } from './public-tables.ts';

/**
 * The explorer's page, the same for every caller. For a public table it also has what search engines read. If the table does not exist, a
 * program gets a 404 in JSON, and a browser gets the page, which shows the error.
 * @param id the table to open; null for the list of tables
 */
export async function explorer(call: Call, language: string | null, id: string | null): Promise<Reply> {
  const { gateway, request } = call;
  const { server, upstream, limits, explorer } = gateway.settings;
  if (id !== null && !isBrowser(request)) resolve(gateway, id, datastore_search.unknown);
  const files = await gateway.assets.entry();
  const page = shell({
    title: server.title,
    description: server.description,
    base: server.basePath,
    language,
    isShared: upstream !== null,
    takesCookies: gateway.verdicts !== null && upstream !== null && upstream.access.cookies.length > 0,
    bodyBytes: limits.bodyBytes,
    edits: explorer.edit,
    hasCatalog: servesCatalog(gateway),
    map: explorer.map,
    head: await headFor(call, id),
    files,
  });
  const reply = {
    status: id === null || gateway.byName.get(id) !== undefined ? 200 : 404,
    headers: {
      ...{ 'Content-Type': 'text/html;charset=utf-8', 'Cache-Control': 'no-cache', Vary: 'Accept' },
      ...pageHeaders(explorer.embed, explorer.map.tiles),
    },
    body: page,
  };
  return compressed(reply, header(request, 'accept-encoding'));
}

/** A file of the page. Throws 404 if there is no file of this name. */
export async function asset(call: Call<Extract<Route, { to: 'asset' }>>): Promise<Reply> {
  const { gateway, request, route } = call;
  const sentHeader = (name: string) => header(request, name);
  const layer = gateway.settings.explorer.map.layers.find(({ name }) => name === route.name);
  if (layer !== undefined) {
    const headers = { ...pageHeaders(), 'Content-Type': 'application/json', 'Cache-Control': immutable };
    return compressed({ status: 200, headers, body: layer.lines }, sentHeader('accept-encoding'));
  }
  const reply = await gateway.assets.reply(route.name, sentHeader('accept-encoding'), sentHeader('if-none-match'));
  if (reply === null) throw notFound('no such file');
  return reply;
}

/** Whether the client gets the explorer at `/`: browsers do if it is served there. All others get a plain list without scripts. */
export const opensExplorer = ({ gateway, request }: Pick<Call, 'gateway' | 'request'>): boolean =>
  gateway.settings.explorer.serve === 'auto' && isBrowser(request);
