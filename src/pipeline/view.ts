/** What an answer shows to its caller alone: its permissions, and the references between resources that it may read. */
import { callerIn, canRead, permissions } from '../accept/permit.ts';
import type { CallerView, Reference } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';
import type { Resolved } from '../tables/served.ts';
import { withListedRights } from './ask-upstream.ts';
import type { ActionCall } from './call.ts';
import { extremesFor } from './extremes.ts';

/**
 * What the sender of a call may see of a resource that it may read. As in lists, a linked resource is left out if the upstream does not
 * decide about it in time.
 */
export async function viewOf(call: ActionCall, resource: Resolved): Promise<CallerView> {
  const { gateway, sender } = call;
  const ids = new Set([...resource.references, ...resource.referencedBy].map((one) => one.resource));
  const others = [...ids].filter((id) => id !== resource.id).flatMap((id) => gateway.byName.get(id) ?? []);
  // We already have the verdict on the resource itself. Including it keeps the caller's name in the log if there is no other verdict.
  const listing = await withListedRights(call, [resource, ...others], Number.POSITIVE_INFINITY, ['read']);
  const caller = callerIn(listing.call.sender);
  const readable = [resource, ...others.filter((one) => canRead(caller, one))];
  const titles = new Map(readable.map(({ id, settings }) => [id, settings.title]));
  const shown = (all: readonly Reference[]): readonly JsonObject[] =>
    all.flatMap(({ fields, resource, to }) => {
      const title = titles.get(resource);
      return title === undefined ? [] : [{ fields, resource_id: resource, title, to }];
    });
  return {
    may: permissions(callerIn(sender), resource),
    access: { write: resource.access.write, columns: hidesColumns(resource) ? 'some' : 'all' },
    references: shown(resource.references),
    referencedBy: shown(resource.referencedBy),
    extremes: await extremesFor(call, resource, gateway.settings.limits.totalBudget),
    isPrivate: others.some(({ access }) => access.read !== 'public'),
  };
}

const hidesColumns = ({ table }: Resolved): boolean => typeof table === 'object' && table.about.hides;
