/** The site as one caller may see it: the resources that it may read, with what it may do there. */
import { callerIn, canRead, permissions, permit } from '../accept/permit.ts';
import type { Listed, Outcome, ParsedCall, Site, VisibleResource } from '../actions/action.ts';
import * as actions from '../actions/index.ts';
import { field } from '../actions/query/columns.ts';
import { listed as searchRows } from '../actions/table_metadata/query.ts';
import { type MetadataRow, tableMetadata, tableRows } from '../actions/table_metadata/table.ts';
import type { Settings } from '../config/assemble.ts';
import type { Caller } from '../model/http.ts';
import { isRank, type Shown } from '../model/plan.ts';
import type { Encoder } from '../model/rows.ts';
import type { Table } from '../model/table.ts';
import type { Cell } from '../model/value.ts';
import type { Overview } from '../reply/front-page.ts';
import type { Resolved } from '../tables/served.ts';
import { withListedRights, withRights } from './ask-upstream.ts';
import type { Call } from './call.ts';
import { datasetsIn, dated } from './catalogue.ts';
import { extremesOfAll } from './extremes.ts';
import { rowEstimates } from './row-estimates.ts';
import { takesSql } from './select.ts';

/** The gateway as the sender of this call may see it. */
export function siteOf(call: Call): Site {
  const { gateway, url } = call;
  const { server, limits } = gateway.settings;
  return {
    url,
    title: server.title,
    version: server.compat,
    actions: Object.values(actions).filter(({ about }) => about !== 'select' || takesSql(gateway)),
    limits: gateway.bounds,
    async resources({ matches = () => true, enough = Number.POSITIVE_INFINITY } = {}) {
      const asked = gateway.resources.filter((one) => matches({ ...one.settings, id: one.id, table: usable(one) }));
      const { call: listing, isComplete } = await withListedRights(call, asked, enough);
      const caller = callerIn(listing.sender);
      const readable = asked.filter((resource) => canRead(caller, resource));
      return { caller: caller?.name ?? null, resources: readable.map((one) => listed(one, caller)), isComplete };
    },
    async resource(name) {
      const resource = gateway.byName.get(name);
      if (resource === undefined) return undefined;
      const { sender } = await withRights(call, [resource], ['read']);
      permit(sender, resource, 'read');
      return listed(resource, callerIn(sender));
    },
    extremes: (ids) =>
      extremesOfAll(
        call,
        ids.flatMap((id) => gateway.byName.get(id) ?? []),
        limits.totalBudget,
      ),
    rowEstimates: (ids) =>
      rowEstimates(
        call,
        ids.flatMap((id) => gateway.byName.get(id) ?? []),
      ),
    datasets: datasetsIn(gateway),
    dated: (datasets) => dated(call, datasets),
  };
}

function listed(resource: Resolved, caller: Caller | null): VisibleResource {
  const { id, access, settings } = resource;
  const { aliases, title, description, metadata, identity } = settings;
  const may = permissions(caller, resource);
  return { id, aliases, title, description, metadata, identity, access, may, table: usable(resource) };
}

/** The resource's table; null while it cannot be used. */
const usable = ({ table }: Resolved): Table | null => (typeof table === 'object' ? table : null);

/** Limit of resources on the front page: nobody reads a longer list. */
const maxShown = 200;

/** The content of the front page: the first of the resources that this caller may read, and how many more there are. */
export function overviewOf({ server }: Pick<Settings, 'server'>, { resources }: Listed): Overview {
  const shown = resources.slice(0, maxShown).map(({ id, title }) => ({ id, title }));
  const more = resources.length - shown.length;
  return { title: server.title, path: server.basePath, compat: server.compat, resources: shown, more };
}

/**
 * Searches the resources that this caller may read, together with the names of the upstream, as if they were a table (`_table_metadata`
 * in docs/api.md). A name that both have is listed once, as ours: calls with it never reach the upstream.
 */
export function searchNames(
  parsed: ParsedCall,
  { resources, isComplete }: Listed,
  caller: Caller | null,
  upstream: readonly MetadataRow[],
): Outcome {
  const access = { read: 'public', write: 'none', deleteAll: false, aggregate: false, sql: false } as const;
  const plan = parsed.plan({ id: tableMetadata.resource, access, table: tableMetadata }, caller);
  if (!('effect' in plan) || plan.effect !== 'read') throw new TypeError('only a search lists');
  const ours = tableRows(resources);
  const names = new Set(ours.map(({ name }) => name));
  const { cells, cursor, total } = searchRows(plan, [...ours, ...upstream.filter(({ name }) => !names.has(name))]);
  return {
    rows: { fields: plan.columns.map(field), encoders: plan.columns.map(encoder), cells },
    total,
    ...(isComplete ? {} : { isIncomplete: true }),
    ...(cursor === null ? {} : { end: { sort: plan.sort, cursor } }),
  };
}

function encoder(shown: Shown): Encoder {
  const plain = (cell: Cell) => (cell === null ? null : String(cell));
  return { json: (cell) => (isRank(shown) ? String(cell) : JSON.stringify(plain(cell))), plain, copy: plain };
}
