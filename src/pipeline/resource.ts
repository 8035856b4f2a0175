/** The name in a call → the resource as it can be served now. Joins settings and catalogues. */

import type { Gateway } from '../app/gateway.ts';
import { brokenView, notFound, Refusal, refusal, stale, unavailable } from '../model/errors.ts';
import type { Resource } from '../model/http.ts';
import { filterOf, leavesOut, type Plan } from '../model/plan.ts';
import type { Absent, Resolved, Served } from '../tables/served.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import { translate } from './execute-plan.ts';

/** The resource with this id or alias. Throws a 404 with the text of `unknown`. */
export function resolve(served: Served, name: string, unknown?: (name: string) => string): Resolved {
  const resource = served.resource(name);
  if (resource === undefined) throw notFound(unknown?.(name));
  return resource;
}

/** The resource with its table. Throws a `Refusal` where the table cannot be served now. */
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

/**
 * Makes the plan. A refusal is marked as stale: the plan may fit the current table. Where the plan leaves out a value that the column
 * cannot hold, the server is asked whether the column is still the same.
 * @param began when the call came, by `performance.now()`
 */
export async function planned<P extends Plan>(
  gateway: Gateway,
  resource: Resolved,
  began: number,
  plan: () => P | Steps<P>,
): Promise<P> {
  const make = async (): Promise<P> => {
    const made = plan();
    return 'effect' in made ? made : inSlices(made);
  };
  const made = await make().catch((error: unknown) => {
    throw error instanceof Refusal ? stale(error, resource.id, 'refused') : error;
  });
  const filter = filterOf(made);
  if (filter !== null && leavesOut(filter) && !(await isCurrent(gateway, resource, began, made)))
    throw refusal({ kind: 'schema' }, made.table, null, null);
  return made;
}

const isCurrent = (gateway: Gateway, resource: Resolved, began: number, plan: Plan): Promise<boolean> =>
  gateway.isCurrent(resource, began).catch((error: unknown) => {
    const { connected } = resource;
    throw connected === null ? error : translate(error, plan, connected, gateway.settings.limits.responseBytes);
  });

/**
 * Repeats the work after re-reading the catalogue, if the error (an unknown name, a failing query) may come from a changed
 * table.
 * @param find finds the resource that the call names: a reload may have moved its alias, or removed it
 * @param work gets the gateway, and the resource as this gateway has it
 */
export async function upToDate<T>(
  gateway: Gateway,
  resource: Resolved,
  find: (now: Gateway) => Resolved,
  work: (now: Gateway, resource: Resolved) => Promise<T>,
): Promise<T> {
  try {
    return await work(gateway, resource);
  } catch (error) {
    if (!(error instanceof Refusal) || error.stale === null) throw error;
    const fresh = await gateway.reread(error.stale.resource, error.stale.why);
    if (fresh === null) throw error;
    return work(fresh, find(fresh));
  }
}
