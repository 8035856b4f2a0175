/** The name in a call → the resource as it can be served now. Joins settings and catalogues. */

import type { Absent, Gateway, Resolved } from '../gateway/gateway.ts';
import { notFound, Refusal, stale, unavailable } from '../model/errors.ts';
import type { Resource } from '../model/http.ts';
import type { Plan } from '../model/plan.ts';
import { inSlices, type Steps } from '../values/slices.ts';

/** The resource with this id or alias. Throws a 404 with the text of `unknown`. */
export function resolve(gateway: Gateway, name: string, unknown?: (name: string) => string): Resolved {
  const resource = gateway.resource(name);
  if (resource === undefined) throw notFound(unknown?.(name));
  return resource;
}

/** The resource with its table. Throws a `Refusal` where the table cannot be served now. */
export function present({ id, access, settings, table }: Resolved): Resource {
  if (typeof table === 'string') throw absent(id, settings.database, table);
  return { id, access, table };
}

function absent(id: string, database: string, why: Absent): Refusal {
  switch (why) {
    case 'unreachable':
      return unavailable('the database of this resource cannot be reached, try again');
    case 'missing':
      return stale(notFound(`DataStore table of "${id}" was not found.`), database, 'refused');
    case 'unfit':
      return stale(
        unavailable('the table of this resource no longer is what the configuration says'),
        database,
        'refused',
      );
  }
}

/** Makes the plan. A refusal is marked as stale: the plan may fit the current table. */
export async function planned<P extends Plan>(plan: () => P | Steps<P>, { settings }: Resolved): Promise<P> {
  try {
    const made = plan();
    return 'effect' in made ? made : await inSlices(made);
  } catch (error) {
    throw error instanceof Refusal ? stale(error, settings.database, 'refused') : error;
  }
}

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
    const fresh = await gateway.reread(error.stale.database, error.stale.why);
    if (fresh === null) throw error;
    return work(fresh, find(fresh));
  }
}
