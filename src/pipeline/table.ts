/** A call of an action on a table: finds the resource, checks the caller's rights, and retries with a newer catalogue if ours is stale. */
import type { CallParameters } from '../accept/parameters.ts';
import { callerIn, permit, permitAggregate } from '../accept/permit.ts';
import type { ParsedCall, TableAction } from '../actions/action.ts';
import { tableMetadata } from '../actions/table_metadata/table.ts';
import type { UpstreamAnswer } from '../model/http.ts';
import type { Resolved } from '../tables/served.ts';
import type { ActionCall } from './call.ts';
import { type CallAnswer, uncached } from './finish.ts';
import { listing } from './pages.ts';
import { newerGateway, resolve } from './plan.ts';
import { bodyOf, search } from './search.ts';
import { searchNames, siteOf } from './site.ts';
import { succeeded } from './succeeded.ts';
import { upstreamNames } from './upstream-names.ts';
import { write } from './write.ts';

/** Answers a call of this action. Throws a `Refusal` for bad parameters, an unknown resource or a missing right. */
export async function answerTable(
  call: ActionCall,
  action: TableAction,
  received: CallParameters,
  upstream: UpstreamAnswer | null,
): Promise<CallAnswer> {
  const { gateway, log, sender } = call;
  let parsed = action.start(received.params, gateway.bounds);
  const name = parsed.resource ?? '';
  if (action.servesTableMetadata && name === tableMetadata.resource)
    return answerListing(call, parsed, received, upstream);
  const resource = resolve(gateway, name, action.unknown);
  log.resource = resource.id;
  const { params, records } = received;
  if (records !== null) {
    // Check the rights first: a client that may not write must not make us parse megabytes of records.
    admit(sender, action, parsed, resource);
    parsed = action.start({ ...params, records: await records() }, gateway.bounds);
  }
  const run = action.effect === 'read' ? search : write;
  try {
    admit(sender, action, parsed, resource);
    return await run({ call, action, parsed, received, resource });
  } catch (error) {
    const newer = await newerGateway(gateway, error);
    const again = resolve(newer, name, action.unknown);
    log.resource = again.id;
    admit(sender, action, parsed, again);
    return run({ call: { ...call, gateway: newer }, action, parsed, received, resource: again });
  }
}

/** Throws 403 for a missing right. Call it before column names are checked, which would reveal them. */
function admit(
  sender: ActionCall['sender'],
  action: TableAction,
  { revealsRecords }: ParsedCall,
  resource: Resolved,
): void {
  permit(sender, resource, action.effect);
  if (action.needsAggregate) permitAggregate(resource);
  if (revealsRecords) permit(sender, resource, 'read');
}

/** Searches `_table_metadata`, CKAN's list of tables. It is not a table of any database. */
async function answerListing(
  call: ActionCall,
  parsed: ParsedCall,
  { callback }: CallParameters,
  upstream: UpstreamAnswer | null,
): Promise<CallAnswer> {
  call.log.resource = tableMetadata.resource;
  const names = await upstreamNames(upstream);
  const outcome = searchNames(parsed, siteOf(call), callerIn(call.sender), names);
  const body = await bodyOf(call, parsed, tableMetadata, outcome, null);
  return uncached(await succeeded(body, listing(call.gateway), callback));
}
