/** The name in a call → the resource as it can be served now. Joins settings and catalogues. */

import type { Absent, Gateway } from '../gateway/build.ts';
import { notFound, Refusal, stale, unavailable } from '../model/errors.ts';
import type { Plan } from '../model/plan.ts';
import type { Table } from '../model/table.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import { configured } from './site.ts';

/**
 * The resource by id or alias, whether or not its table can be served now: permission is checked before.
 * Throws a 404 with the text of `unknown`.
 */
export function resourceNamed(gateway: Gateway, name: string, unknown: ((name: string) => string) | undefined) {
  const found = configured(gateway, name);
  if (found === undefined) throw notFound(unknown?.(name));
  const { name: id, access, database, title } = found;
  const table: Table | Absent = gateway.snapshots.get(database)?.tables.get(id) ?? 'unreachable';
  return { id, access, database, title, table };
}

/** The resource with its table. Throws a `Refusal` where the table cannot be served now. */
export function present(resource: ReturnType<typeof resourceNamed>) {
  const { id, database, table } = resource;
  if (typeof table === 'string') throw absent(id, database, table);
  return { ...resource, table };
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
export async function planned<P extends Plan>(plan: () => P | Steps<P>, database: string): Promise<P> {
  try {
    const made = plan();
    return 'effect' in made ? made : await inSlices(made);
  } catch (error) {
    throw error instanceof Refusal ? stale(error, database, 'refused') : error;
  }
}

/**
 * Repeats the work after re-reading the catalogue, if the error (an unknown name, a failing query) may come from a changed
 * table.
 */
export async function upToDate<T>(gateway: Gateway, work: (now: Gateway) => Promise<T>): Promise<T> {
  try {
    return await work(gateway);
  } catch (error) {
    if (!(error instanceof Refusal) || error.stale === null) throw error;
    const fresh = await gateway.reread(error.stale.database, error.stale.why);
    if (fresh === null) throw error;
    return work(fresh);
  }
}
