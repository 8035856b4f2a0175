/** The explorer: its page, and the files of it. */
import type { Route } from '../accept/route.ts';
import { pageHeaders, shell } from '../explorer/page.ts';
import { notFound } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import { weights } from '../values/weights.ts';
import type { Call } from './begin.ts';
import { header } from './classify.ts';

/** The page, which is the same for every caller and every table. */
export async function explorer({ gateway }: Pick<Call, 'gateway'>, language: string | null): Promise<Reply> {
  const { server, upstream, limits, explorer } = gateway.settings;
  const files = await gateway.assets.entry();
  return {
    status: 200,
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

/** Whether a client is a browser that opens a page. Others keep the page without a script, and all where there is no explorer. */
export function opensPage({ gateway, request }: Pick<Call, 'gateway' | 'request'>): boolean {
  return gateway.settings.explorer.serve === 'auto' && (weights(header(request, 'accept')).get('text/html') ?? 0) > 0;
}
