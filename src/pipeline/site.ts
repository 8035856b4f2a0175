/** The gateway as one caller may see it. Joins settings and catalogues with the caller's rights. */
import { callerIn, canRead, permit } from '../accept/permit.ts';
import type { AnyAction, Listed, Outcome, Site, Started } from '../actions/action.ts';
import * as actions from '../actions/index.ts';
import { field } from '../actions/query/columns.ts';
import { listed } from '../actions/table_metadata/query.ts';
import { tableMetadata, tableRows } from '../actions/table_metadata/table.ts';
import type { ResourceSettings } from '../config/assemble.ts';
import type { Gateway } from '../gateway/build.ts';
import type { Anonymous, Caller } from '../model/http.ts';
import { isRank, type Shown } from '../model/plan.ts';
import type { Encoder } from '../model/rows.ts';
import type { Cell } from '../model/value.ts';
import type { Overview } from '../reply/front-page.ts';

/** @param url the public URL of the gateway, with its base path */
export function siteOf(gateway: Gateway, who: Caller | Anonymous, url: string): Site {
  const { server, resources } = gateway.settings;
  const caller = callerIn(who);
  const listed = (settings: ResourceSettings): Listed => {
    const { name: id, aliases, title, description, access, database } = settings;
    const table = gateway.snapshots.get(database)?.tables.get(id);
    return { id, aliases, title, description, access, table: typeof table === 'object' ? table : null };
  };
  return {
    url,
    title: server.title,
    version: server.compat,
    actions: Object.values(actions),
    resources: [...resources.values()].map(listed).filter((resource) => canRead(caller, resource)),
    resource(name) {
      const found = configured(gateway, name);
      if (found === undefined) return undefined;
      const resource = listed(found);
      permit(who, resource, 'read');
      return resource;
    },
  };
}

/** More than a reader scans on one page. */
const mostShown = 200;

/** The front page for this caller: the first resources that it may read, and the number of the others. */
export function overviewOf(
  { settings: { server, resources } }: Pick<Gateway, 'settings'>,
  caller: Caller | null,
): Overview {
  const shown: Overview['resources'][number][] = [];
  let more = 0;
  for (const { name: id, title, access } of resources.values()) {
    if (!canRead(caller, { id, access })) continue;
    if (shown.length < mostShown) shown.push({ id, title });
    else more++;
  }
  return { title: server.title, path: server.basePath, compat: server.compat, resources: shown, more };
}

/** Searches the resources that this caller may read, as if they were a table (contract 3.11). */
export function searchNames(asked: Started, { resources }: Site, caller: Caller | null): Outcome {
  const access = { read: 'public', write: 'none', deleteAll: false } as const;
  const plan = asked.plan({ id: tableMetadata.resource, access, table: tableMetadata }, caller);
  if (!('effect' in plan) || plan.effect !== 'read') throw new TypeError('only a search lists');
  const { cells, place, total } = listed(plan, tableRows(resources));
  return {
    rows: { fields: plan.columns.map(field), encoders: plan.columns.map(encoder), cells },
    total,
    ...(place === null ? {} : { end: { sort: plan.sort, place } }),
  };
}

function encoder(shown: Shown): Encoder {
  const plain = (cell: Cell) => (cell === null ? null : String(cell));
  return { json: (cell) => (isRank(shown) ? String(cell) : JSON.stringify(plain(cell))), plain, copy: plain };
}

/** A resource by its id or an alias. */
export function configured({ settings: { resources } }: Gateway, name: string): ResourceSettings | undefined {
  return resources.get(name) ?? [...resources.values()].find(({ aliases }) => aliases.includes(name));
}

const byName: ReadonlyMap<string, AnyAction> = new Map(Object.entries(actions));

/** Undefined where there is no such action. */
export function actionNamed(name: string): AnyAction | undefined {
  return byName.get(name);
}
