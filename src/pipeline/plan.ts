/** Finds the resource that a call names, with its table, and makes the plan of the call for it. */

import { callerIn, type Granted, withoutRows } from '../accept/permit.ts';
import type { Gateway } from '../app/gateway.ts';
import { filterOf, type Plan } from '../model/any-plan.ts';
import { brokenView, notFound, Refusal, refusal, stale, unavailable } from '../model/errors.ts';
import type { Caller, Resource } from '../model/http.ts';
import { mayExceedType } from '../model/plan.ts';
import { type Guarded, guard, RowFilter } from '../model/row-filter.ts';
import type { Absent, Resolved, Served } from '../tables/served.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import type { Call } from './call.ts';
import { translate } from './translate.ts';

/** The resource with this id or alias. Throws a 404, with the text of `unknown` if given. */
export function resolve(served: Served, name: string, unknown?: (name: string) => string): Resolved {
  const resource = served.byName.get(name);
  if (resource === undefined) throw notFound(unknown?.(name));
  return resource;
}

/** The resource with its table. Throws a `Refusal` if the table cannot be served now. */
export function present({ id, access, table }: Resolved): Resource {
  if (typeof table === 'string') throw absent(id, table);
  return { id, access, table };
}

function absent(id: string, why: Absent): Refusal {
  switch (why) {
    case 'unreachable':
      return unavailable('the database of this resource cannot be reached, try again');
    case 'missing':
      return stale(notFound(`DataStore table of "${id}" was not found.`), id, 'refused');
    case 'broken':
      return stale(brokenView(), id, 'refused');
    case 'unfit':
      return stale(unavailable('the table of this resource no longer is what the configuration says'), id, 'refused');
  }
}

/** The rows of the resource that a permitted sender may see and write. Throws 403 if its claims do not say which. */
export function rowsFor(granted: Granted, resource: Resolved, effect: 'read' | 'write'): RowFilter {
  const caller = callerIn(granted.sender);
  if (!resource.rows.hasFilterFor(caller)) return RowFilter.all;
  present(resource);
  const rows = resource.rows.of(caller);
  if (rows === null) throw withoutRows(granted, resource, effect);
  return rows;
}

/**
 * Makes the plan of a call, for the rows of its caller. A refusal is marked as stale, because the call may be valid if the table has
 * changed. A filter value that its column cannot hold matches nothing; we ask the server whether the column still has the type in our
 * catalogue.
 * @param others the other resources of a join
 */
export async function makePlan<P extends Plan>(
  { gateway, sender, began }: Call,
  resource: Resolved,
  rows: RowFilter,
  parsed: { plan(resource: Resource, caller: Caller | null): P | Steps<P> },
  others: readonly Resolved[] = [],
): Promise<Guarded<P>> {
  const served = present(resource);
  let plan: Guarded<P>;
  try {
    const planned = parsed.plan(served, callerIn(sender));
    plan = guard('effect' in planned ? planned : await inSlices(planned), rows);
  } catch (error) {
    throw error instanceof Refusal ? stale(error, resource.id, 'refused') : error;
  }
  const filter = filterOf(plan);
  if (filter === null || !mayExceedType(filter)) return plan;
  const each = [resource, ...others].map((one) => gateway.isCurrent(one, began));
  const areCurrent = await Promise.all(each).catch((error: unknown) => {
    const { connected } = resource;
    throw connected === null ? error : translate(error, plan, connected, gateway.settings.limits.responseBytes);
  });
  if (areCurrent.includes(false)) throw refusal({ kind: 'schema' }, plan.table, null, null);
  return plan;
}

/**
 * The gateway with a newer catalogue, to try a failed call again: an unknown name or a failing query may mean that the table has changed
 * since we read the catalogue. Throws the error if it has another cause, or if there is no newer catalogue.
 */
export async function newerGateway(gateway: Gateway, error: unknown): Promise<Gateway> {
  const stale = error instanceof Refusal ? error.stale : null;
  const newer = stale === null ? null : await gateway.reread(stale.resource, stale.why);
  if (newer === null) throw error;
  return newer;
}
