/** A read of a table, from top to bottom: look up → (plan → run → encode → store) → reply. */
import { createHash } from 'node:crypto';
import { callerIn } from '../accept/permit.ts';
import type { Outcome, ParsedCall } from '../actions/action.ts';
import { CacheHandle, keyOf } from '../cache/handle.ts';
import type { LoadedBody } from '../cache/results.ts';
import type { CallerView } from '../model/http.ts';
import type { Table } from '../model/table.ts';
import { acceptsGzip, cacheControl, cachedReply, isSentZipped } from '../reply/cached-reply.ts';
import { success } from '../reply/envelope.ts';
import { toJson } from '../values/json.ts';
import { inSlices } from '../values/slices.ts';
import type { Call, TableCall } from './call.ts';
import { type CallAnswer, uncached } from './finish.ts';
import { makePlan, present } from './plan.ts';
import { nameFlag, runRead } from './run-read.ts';
import { succeeded } from './succeeded.ts';

/** Answers a search from the cache, or else from the database. The caller's rights have been checked before. */
export async function search(tableCall: TableCall): Promise<CallAnswer> {
  const { call, received, resource, view } = tableCall;
  const { gateway } = call;
  const { callback } = received;
  const isPrivate = view?.isPrivate === true;
  const control = isPrivate
    ? cacheControl(true)
    : cacheControl(resource.access.read !== 'public', resource.settings.cache.maxAge);
  const handle = handleOf(tableCall);
  const { results } = gateway.cache;
  const found = handle === null ? null : await results.lookUp(handle, call, gateway.settings.cache.staleIfError);
  if (handle === null || found === null || found.is === 'suspended') {
    const { body } = await makeBody(tableCall, call);
    const reply = await succeeded(body, control, callback);
    // With `maxAge`, a browser or proxy may keep the answer, which is for this caller.
    return uncached({ ...reply, headers: { ...reply.headers, Vary: gateway.vary } });
  }
  const lookup =
    found.is === 'entry' ? found : await found.load.fill(makeBody(tableCall, { ...call, signal: found.load.signal }));
  const { entry, source } = lookup;
  if (callback !== null) return { ...uncached(await succeeded(entry.body, control, callback)), source };
  const wants = call.conditional;
  if (isSentZipped(entry, acceptsGzip(wants.acceptEncoding))) await entry.gzip();
  const reply = cachedReply(lookup, wants, { control, vary: gateway.vary }, performance.now());
  const caller = callerIn(call.sender);
  // A JWT that was refused may be valid later: it is verified each time. A write may commit between reading the extremes and loading this
  // entry, whose key then has old extremes: read them for each request.
  const isRepeatable = !isPrivate && (view?.extremes ?? null) === null;
  const hint = !isRepeatable || (call.isCounted && caller === null) ? null : { gateway, handle, caller, control };
  return { reply, source, hint, cause: undefined };
}

/** The handle to look the answer up in the cache; null if the resource is not cached. */
function handleOf({ call, action, received, resource, rows, view }: TableCall): CacheHandle | null {
  const { cache, version } = call.gateway;
  const { id, dependencies, freshness, cacheTtl: ttl } = resource;
  const reads = dependencies?.dependsOn;
  if (ttl === 0 || reads === undefined) return null;
  const { language } = call.route;
  const question = {
    action: action.name,
    language,
    params: received.params,
    resource: id,
    rows: rows.key,
    version,
    view,
  };
  // A hash is half as long as the JSON, and hashes differ from the first character on. That makes lookups cheaper.
  const name = createHash('sha256').update(keyOf(question, toJson)).digest('base64url');
  return new CacheHandle(name, reads, ttl, freshness, cache.generations);
}

/** Makes the plan, runs it and encodes the result. */
async function makeBody({ parsed, resource, others, rows, view }: TableCall, call: Call): Promise<LoadedBody> {
  const plan = await makePlan(call, resource, rows, parsed, others);
  try {
    const outcome = await runRead(call, resource, plan);
    const body = await bodyOf(call, parsed, present(resource).table, outcome, view);
    return { body, lifetimeMs: lifetimeOf(outcome, call.refusesCached) };
  } catch (error) {
    throw await nameFlag(error, call, resource, plan);
  }
}

/** The JSON of a result in CKAN's envelope. */
export function bodyOf(
  { help, gateway }: Call,
  parsed: ParsedCall,
  table: Table,
  outcome: Outcome,
  view: CallerView | null,
) {
  return inSlices(success(help, parsed.result(table, outcome, view), gateway.settings.limits.responseBytes));
}

/**
 * The lifetime of an entry whose numbers may change without a commit to its table: table sizes, and an estimated total, which may be
 * counted exactly in the meantime.
 */
const shortTtlMs = 10_000;

/** The limit for caching an outcome, in milliseconds, in addition to the ttl of its resource. */
function lifetimeOf({ total, sizes }: Outcome, refusesCached: boolean): number {
  // With `no-cache`, the total may be an estimate although the cache has the exact one: don't show it to other clients.
  if (total !== null && total.is !== 'exact') return refusesCached ? 0 : shortTtlMs;
  return sizes == null ? Number.POSITIVE_INFINITY : shortTtlMs;
}
