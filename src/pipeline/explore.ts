/** The explorer: its page, and the files of it. */
import type { Route } from '../accept/route.ts';
import { datastore_search } from '../actions/datastore_search.ts';
import { pageHeaders, shell } from '../explorer/shell.ts';
import { notFound } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import type { Call } from './call.ts';
import { header, isBrowser } from './classify.ts';
import { resolve } from './resource.ts';

/**
 * The page, which is the same for every caller and every table. Throws 404 for a program that asks for a table that does not exist;
 * to a browser the page itself says so.
 * @param id the table that it begins with; null for the list
 */
export async function explorer(
  { gateway, request }: Pick<Call, 'gateway' | 'request'>,
  language: string | null,
  id: string | null,
): Promise<Reply> {
  const { server, upstream, limits, explorer } = gateway.settings;
  if (id !== null && !isBrowser(request)) resolve(gateway, id, datastore_search.unknown);
  const files = await gateway.assets.entry();
  return {
    status: id === null || gateway.resource(id) !== undefined ? 200 : 404,
    headers: {
      ...{ 'Content-Type': 'text/html;charset=utf-8', 'Cache-Control': 'no-cache', Vary: 'Accept' },
      ...pageHeaders(explorer.embed),
    },
    body: shell({
      title: server.title,
      base: server.basePath,
      language,
      isShared: upstream !== null,
      bodyBytes: limits.bodyBytes,
      edits: explorer.edit,
      files,
    }),
  };
}

/** A file of the page. Throws 404 where there is none of this name. */
export async function asset(call: Call<Extract<Route, { to: 'asset' }>>): Promise<Reply> {
  const { gateway, request, route } = call;
  const sent = (name: string) => header(request, name);
  const reply = await gateway.assets.reply(route.name, sent('accept-encoding'), sent('if-none-match'));
  if (reply === null) throw notFound('no such file');
  return reply;
}

/** Whether a client gets the explorer at `/`. Others keep the page without a script, and all where there is no explorer. */
export const opensExplorer = ({ gateway, request }: Pick<Call, 'gateway' | 'request'>): boolean =>
  gateway.settings.explorer.serve === 'auto' && isBrowser(request);
