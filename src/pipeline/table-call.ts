/** A call of an action on a table: permission, plan, and the answer from the cache or from the database. */
import type { Received } from '../accept/parameters.ts';
import { callerIn, permissions, permit, permitAggregate } from '../accept/permit.ts';
import type { Route } from '../accept/route.ts';
import type { Outcome, ParsedCall, TableAction } from '../actions/action.ts';
import { tableMetadata } from '../actions/table_metadata/table.ts';
import type { Gateway } from '../app/gateway.ts';
import type { May, UpstreamAnswer } from '../model/http.ts';
import type { Table } from '../model/table.ts';
import { cacheControl, cachedReply, isSentZipped } from '../reply/cached-reply.ts';
import { acceptsGzip } from '../reply/compress.ts';
import { success } from '../reply/envelope.ts';
import type { Resolved } from '../tables/served.ts';
import { inSlices } from '../values/slices.ts';
import { type Call, clientName } from './begin.ts';
import { cacheHandle, getOrLoad } from './cached.ts';
import { asksNoCache } from './classify.ts';
import { executePlan, withNames } from './execute-plan.ts';
import { listing, wantsOf } from './pages.ts';
import { type CallAnswer, type CallLog, failed, logOf, uncached } from './report.ts';
import { planned, present, resolve, upToDate } from './resource.ts';
import { searchNames, siteOf } from './site.ts';
import { succeeded } from './succeeded.ts';
import { upstreamNames } from './upstream-names.ts';

type ActionCall = Call<Extract<Route, { to: 'action' }>>;

/** Answers a call of this action. Throws a `Refusal` for bad parameters and for a name that is no resource. */
export async function callTable(
  call: ActionCall,
  action: TableAction,
  received: Received,
  upstream: UpstreamAnswer | null,
): Promise<CallAnswer> {
  const { gateway } = call;
  const started = action.start(received.params, gateway.bounds);
  if (action.lists && started.resource === tableMetadata.resource)
    return callListing(call, started, received, upstream);
  const find = (now: Gateway) => resolve(now, started.resource ?? '', action.unknown);
  const resource = find(gateway);
  const log = logOf(call, resource.id);
  const steps = async () => {
    const asked = await withRecords(call, action, received, started, resource);
    return upToDate(gateway, resource, find, async (now, current) => {
      admit(call, action, asked, current);
      const about = current === resource ? log : { ...log, resource: current.id };
      const step = { call, action, asked, received, log: about, gateway: now, resource: current };
      return action.effect === 'read' ? search(step) : written(step);
    });
  };
  return steps().catch((error: unknown) => failed(error, call, log));
}

/** A permitted call of an action on a resource. */
interface Step {
  readonly call: ActionCall;
  readonly action: TableAction;
  readonly asked: ParsedCall;
  readonly received: Received;
  readonly log: CallLog;
  readonly gateway: Gateway;
  readonly resource: Resolved;
}

/** Throws 403 before anything of the table is revealed. */
function admit({ sender }: ActionCall, action: TableAction, { alsoReads }: ParsedCall, resource: Resolved): void {
  permit(sender, resource, action.effect);
  if (action.groups) permitAggregate(resource);
  if (alsoReads) permit(sender, resource, 'read');
}

/** The call with its records. Permission comes first: the gateway reads no megabytes from a client that may not write them. */
async function withRecords(
  call: ActionCall,
  action: TableAction,
  { params, records }: Received,
  started: ParsedCall,
  resource: Resolved,
): Promise<ParsedCall> {
  if (records === null) return started;
  admit(call, action, started, resource);
  return action.start({ ...params, records: await records() }, call.gateway.bounds);
}

/** A search of `_table_metadata`, which is no table of a database. */
async function callListing(
  call: ActionCall,
  asked: ParsedCall,
  { callback }: Received,
  upstream: UpstreamAnswer | null,
): Promise<CallAnswer> {
  const { gateway } = call;
  const log = logOf(call, tableMetadata.resource);
  const steps = async () => {
    const outcome = searchNames(asked, siteOf(call), callerIn(call.sender), await upstreamNames(upstream));
    const may = { read: true, aggregate: false, write: false, deleteAll: false };
    const body = await bodyOf(call, gateway, asked, tableMetadata, outcome, may);
    return uncached(await succeeded(body, listing(gateway), callback), log);
  };
  return steps().catch((error: unknown) => failed(error, call, log));
}

/** A write runs to its end, also when its client has left. */
async function written(step: Step): Promise<CallAnswer> {
  const { received, log } = step;
  const { body } = await load(step, false, never, performance.now());
  return uncached(await succeeded(body, controlOf(step), received.callback), log);
}

const never = new AbortController().signal;

/** A read: from the cache, or from the database. */
async function search(step: Step): Promise<CallAnswer> {
  const { call, action, received, log, gateway, resource } = step;
  const { params, callback } = received;
  const asked = call.request.asked ?? performance.now();
  const control = controlOf(step);
  const noCache = asksNoCache(call.request);
  const gone = call.request.gone();
  const make = (left: AbortSignal) => load(step, noCache, left, asked);
  const may = action.tellsMay ? permissions(callerIn(call.sender), resource) : null;
  const question = { action: action.name, language: call.route.language, may, params };
  const handle = cacheHandle(gateway, resource, question);
  const lookup = handle === null ? null : await getOrLoad(gateway, handle, noCache, gone, asked, make);
  if (handle === null || lookup === null)
    return uncached(await succeeded((await make(gone)).body, control, callback), log);
  const { entry, source } = lookup;
  if (callback !== null) return { ...uncached(await succeeded(entry.body, control, callback), log), source };
  const wants = wantsOf(call.request);
  if (isSentZipped(entry, acceptsGzip(wants.acceptEncoding))) await entry.gzip();
  const reply = cachedReply(lookup, wants, control, performance.now());
  return { reply, log, source, hint: { gateway, handle, control }, cause: undefined };
}

/** `Cache-Control` of the answers. */
function controlOf({ action, resource: { access, settings } }: Step): string {
  return cacheControl(access.read === 'token', action.effect === 'read' ? settings.cache.maxAge : undefined);
}

/**
 * Milliseconds for which an answer is kept whose numbers others may change without a commit to its table: an estimated total, as the
 * exact one may be counted, and sizes.
 */
const shortly = 10_000;

/** Makes the plan and executes it. */
async function load({ call, asked, log, gateway, resource }: Step, noCache: boolean, gone: AbortSignal, at: number) {
  const served = present(resource);
  const plan = await planned(gateway, resource, call.began, () => asked.plan(served, callerIn(call.sender)));
  const client = clientName(call);
  const options = { noCache, gone, client, asked: at, spent: log.spent };
  const may = permissions(callerIn(call.sender), resource);
  const made = async () => {
    const outcome = await executePlan(gateway, resource, plan, options);
    return { outcome, body: await bodyOf(call, gateway, asked, served.table, outcome, may) };
  };
  const { outcome, body } = await made().catch(async (error: unknown) => {
    throw await withNames(error, gateway, resource, plan, options);
  });
  // A client that accepts no cached total estimates what others may know exactly: its page is not for them.
  if (outcome.total !== null && outcome.total.is !== 'exact') return { body, lasts: noCache ? 0 : shortly };
  return { body, lasts: outcome.sizes == null ? Number.POSITIVE_INFINITY : shortly };
}

function bodyOf({ help }: Call, { settings }: Gateway, asked: ParsedCall, table: Table, outcome: Outcome, may: May) {
  return inSlices(success(help, asked.result(table, outcome, may), settings.limits.responseBytes));
}
