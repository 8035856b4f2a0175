/** Picks the searches whose answers are compared with the upstream's (`resources.X.shadow`). */
import type { CallParameters } from '../accept/parameters.ts';
import { callerIn } from '../accept/permit.ts';
import { Params } from '../actions/params.ts';
import { sort } from '../actions/query/page.ts';
import { Refusal } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';
import type { Resolved } from '../tables/served.ts';
import type { ActionCall } from './call.ts';
import type { CallAnswer } from './finish.ts';

/**
 * Returns `answering` as it is. If the call is in the sample, the answer or refusal is also compared with the upstream's. Exact repetitions
 * never come here: the request cache sends what could be compared before.
 */
export async function shadowed(
  call: ActionCall,
  received: CallParameters,
  answering: Promise<CallAnswer>,
): Promise<CallAnswer> {
  const resource = sampled(call, received);
  if (resource === null) return answering;
  // An immediate runs after the answer was handed to the socket.
  const compareSoon = (reply: Reply | null) => void setImmediate(compare, call, received.params, resource, reply);
  try {
    const answer = await answering;
    // A 304 has no body.
    if (answer.reply.status === 200) compareSoon(answer.reply);
    return answer;
  } catch (error) {
    if (error instanceof Refusal && (error.kind === 'invalid' || error.kind === 'malformed')) compareSoon(null);
    throw error;
  }
}

/** The resource of a search in the sample; null for any other call. */
function sampled(call: ActionCall, { params, callback }: CallParameters): Resolved | null {
  const { gateway, sender, credential } = call;
  const id = params.id ?? params.resource_id;
  const resource = typeof id === 'string' ? gateway.byName.get(id) : undefined;
  const shadow = resource?.settings.shadow ?? null;
  if (resource === undefined || shadow === null || gateway.random() >= shadow.sample) return null;
  const { rows, access } = resource;
  // CKAN has no row filters per caller, and accepts a login by cookie only from its own pages.
  const hasOwnRows = rows.of(callerIn(sender))?.key !== rows.of(null)?.key;
  const hasCookieLogin = access.read === 'upstream' && credential?.kind === 'cookies';
  const isText = params.records_format === 'csv' || params.records_format === 'tsv';
  return hasOwnRows || hasCookieLogin || isText || callback !== null || 'after' in params ? null : resource;
}

function compare(
  { gateway, credential }: ActionCall,
  params: JsonObject,
  { id: resource, settings, access, table }: Resolved,
  reply: Reply | null,
): void {
  if (typeof table === 'string') return;
  // CKAN before 2.12 refuses `include_next_page`, which changes no record.
  const { id: _id, include_next_page: _nextPage, ...others } = params;
  gateway.shadow?.compare({
    resource,
    params: { ...others, resource_id: settings.shadow?.resource ?? resource },
    // With `access: upstream`, CKAN has already decided on this login. Otherwise compare without one: no token of ours leaves the gateway.
    headers: access.read === 'upstream' ? (credential?.headers ?? {}) : {},
    reply,
    comparison: () => ({
      sort: sort(new Params(params).names('sort') ?? [], table, []).map(({ by }) => by.label),
      key: table.key.map(({ label }) => label),
    }),
  });
}
