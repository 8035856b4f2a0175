/** The site as one caller may see it: the resources that it may read, with what it may do there. */
import { callerIn, canRead, permissions, permit } from '../accept/permit.ts';
import type { Outcome, ParsedCall, Site, VisibleResource } from '../actions/action.ts';
import * as actions from '../actions/index.ts';
import { field } from '../actions/query/columns.ts';
import { listed as searchRows } from '../actions/table_metadata/query.ts';
import { type MetadataRow, tableMetadata, tableRows } from '../actions/table_metadata/table.ts';
import type { Gateway } from '../app/gateway.ts';
import type { Caller } from '../model/http.ts';
import { isRank, type Shown } from '../model/plan.ts';
import type { Encoder } from '../model/rows.ts';
import type { Cell } from '../model/value.ts';
import type { Overview } from '../reply/front-page.ts';
import type { Resolved } from '../tables/served.ts';
import type { Call } from './call.ts';

/** The gateway as the sender of this call may see it. */
export function siteOf({ gateway, sender, url }: Pick<Call, 'gateway' | 'sender' | 'url'>): Site {
  const { server } = gateway.settings;
  const caller = callerIn(sender);
  return {
    url,
    title: server.title,
    version: server.compat,
    actions: Object.values(actions),
    limits: gateway.bounds,
    caller: caller?.name ?? null,
    resources: gateway.resources
      .filter((resource) => canRead(caller, resource))
      .map((resource) => listed(resource, caller)),
    resource(name) {
      const resource = gateway.resource(name);
      if (resource === undefined) return undefined;
      permit(sender, resource, 'read');
      return listed(resource, caller);
    },
  };
}

function listed(resource: Resolved, caller: Caller | null): VisibleResource {
  const { id, access, settings, table } = resource;
  const { aliases, title, description } = settings;
  const may = permissions(caller, resource);
  return { id, aliases, title, description, access, may, table: typeof table === 'object' ? table : null };
}

/** Limit of resources on the front page: nobody reads a longer list. */
const maxShown = 200;

/** The content of the front page: the first resources that this caller may read, and how many more there are. */
export function overviewOf(
  { settings: { server }, resources }: Pick<Gateway, 'settings' | 'resources'>,
  caller: Caller | null,
): Overview {
  const shown: Overview['resources'][number][] = [];
  let more = 0;
  for (const resource of resources) {
    if (!canRead(caller, resource)) continue;
    if (shown.length < maxShown) shown.push({ id: resource.id, title: resource.settings.title });
    else more++;
  }
  return { title: server.title, path: server.basePath, compat: server.compat, resources: shown, more };
}

/**
 * Searches the resources that this caller may read, together with the names of the upstream, as if they were a table (`_table_metadata`
 * in docs/api.md). A name that both have is listed once, as ours: calls with it never reach the upstream.
 */
export function searchNames(
  parsed: ParsedCall,
  { resources }: Site,
  caller: Caller | null,
  upstream: readonly MetadataRow[],
): Outcome {
  const access = { read: 'public', write: 'none', deleteAll: false, aggregate: false } as const;
  const plan = parsed.plan({ id: tableMetadata.resource, access, table: tableMetadata }, caller);
  if (!('effect' in plan) || plan.effect !== 'read') throw new TypeError('only a search lists');
  const ours = tableRows(resources);
  const names = new Set(ours.map(({ name }) => name));
  const { cells, cursor, total } = searchRows(plan, [...ours, ...upstream.filter(({ name }) => !names.has(name))]);
  return {
    rows: { fields: plan.columns.map(field), encoders: plan.columns.map(encoder), cells },
    total,
    ...(cursor === null ? {} : { end: { sort: plan.sort, cursor } }),
  };
}

function encoder(shown: Shown): Encoder {
  const plain = (cell: Cell) => (cell === null ? null : String(cell));
  return { json: (cell) => (isRank(shown) ? String(cell) : JSON.stringify(plain(cell))), plain, copy: plain };
}
