/** A call of an action on a table: finds the resource, checks the caller's rights, and retries with a newer catalogue if ours is stale. */
import type { CallParameters } from '../accept/parameters.ts';
import { callerIn, type Granted, permit, permitAggregate } from '../accept/permit.ts';
import type { ParsedCall, TableAction } from '../actions/action.ts';
import { tableMetadata } from '../actions/table_metadata/table.ts';
import type { UpstreamAnswer } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';
import type { Resolved } from '../tables/served.ts';
import { withRights } from './ask-upstream.ts';
import type { ActionCall } from './call.ts';
import { type CallAnswer, uncached } from './finish.ts';
import { listing } from './pages.ts';
import { newerGateway, resolve, rowsFor } from './plan.ts';
import { bodyOf, search } from './search.ts';
import { searchNames, siteOf } from './site.ts';
import { succeeded } from './succeeded.ts';
import { upstreamNames } from './upstream-names.ts';
import { viewOf } from './view.ts';
import { write } from './write.ts';

/** Answers a call of this action. Throws a `Refusal` for bad parameters, an unknown resource or a missing right. */
export async function answerTable(
  call: ActionCall,
  action: TableAction,
  sent: CallParameters,
  upstream: UpstreamAnswer | null,
): Promise<CallAnswer> {
  const { gateway, log } = call;
  let parsed = action.start(sent.params, gateway.bounds);
  const name = parsed.resource ?? '';
  if (action.servesTableMetadata && name === tableMetadata.resource) return answerListing(call, parsed, sent, upstream);
  const resource = resolve(gateway, name, action.unknown);
  log.resource = resource.id;
  const received = name === resource.id ? sent : { ...sent, params: withId(sent.params, resource.id) };
  const { params, records } = received;
  if (received !== sent) parsed = action.start(params, gateway.bounds);
  if (records !== null) {
    // Check the rights first: a client that may not write must not make us parse megabytes of records.
    admit(await allowed(call, action, resource), action, parsed, resource);
    parsed = action.start({ ...params, records: await records() }, gateway.bounds);
  }
  const run = async (given: ActionCall, resource: Resolved) => {
    const call = await allowed(given, action, resource);
    const rows = rowsFor(admit(call, action, parsed, resource), resource, action.effect);
    const view = action.showsPermissions ? await viewOf(call, resource) : null;
    const tableCall = { call, action, parsed, received, resource, rows, view };
    return action.effect === 'read' ? search(tableCall) : write(tableCall);
  };
  try {
    return await run(call, resource);
  } catch (error) {
    const newer = await newerGateway(gateway, error);
    const again = resolve(newer, name, action.unknown);
    log.resource = again.id;
    return run({ ...call, gateway: newer }, again);
  }
}

/** The same parameters with the id in place of an alias or UUID, so that a resource has one name from here on, also in cache keys. */
const withId = (params: JsonObject, id: string): JsonObject => ({
  ...params,
  [params.id == null ? 'resource_id' : 'id']: id,
});

/** The same call with the rights that the action needs, if the upstream decides about them. */
async function allowed(call: ActionCall, action: TableAction, resource: Resolved): Promise<ActionCall> {
  if (call.credential === null) return call;
  const needsBoth = action.effect === 'write' || action.showsPermissions === true;
  return withRights(call, [resource], needsBoth ? ['read', 'write'] : ['read']);
}

/** Throws 403 for a missing right. Call it before column names are checked, which would reveal them. */
function admit(
  { sender }: Pick<ActionCall, 'sender'>,
  action: TableAction,
  { revealsRecords }: ParsedCall,
  resource: Resolved,
): Granted {
  const granted = permit(sender, resource, action.effect);
  if (action.needsAggregate) permitAggregate(resource);
  if (revealsRecords) permit(sender, resource, 'read');
  return granted;
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
  const listed = await siteOf(call).resources();
  const outcome = searchNames(parsed, listed, callerIn(call.sender), names);
  const body = await bodyOf(call, parsed, tableMetadata, outcome, null);
  return uncached(await succeeded(body, listing(call.gateway), callback));
}
