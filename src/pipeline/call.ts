/** A call from bytes to bytes. Read this file first: each step passes a named value to the next. */
import { bodyRoom, ClientGone, questionRoom, type Room } from '../accept/body.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { withoutCall } from '../accept/method.ts';
import { parameters } from '../accept/parameters.ts';
import { callerIn, permit, writesAny } from '../accept/permit.ts';
import { networkOf } from '../accept/rates.ts';
import { type Route, route } from '../accept/route.ts';
import type { AnyAction, Started, TableAction } from '../actions/action.ts';
import { tableMetadata } from '../actions/table_metadata/table.ts';
import { type Spent, unspent } from '../execute/connection/meter.ts';
import type { Gateway } from '../gateway/build.ts';
import { malformed, notFound, Refusal } from '../model/errors.ts';
import { type Anonymous, type Caller, type ForwardedRequest, type Found, isStream, type Reply } from '../model/http.ts';
import { acceptsGzip } from '../reply/compress.ts';
import { withCors } from '../reply/cors.ts';
import { plainSuccess, success } from '../reply/envelope.ts';
import { cacheControl, found, wantsZipped } from '../reply/found.ts';
import { jsonp } from '../reply/jsonp.ts';
import { inSlices } from '../values/slices.ts';
import { type CacheHandle, cacheHandle, getOrLoad } from './cached.ts';
import { callerOf, whoSends } from './caller.ts';
import { addressOf, header, isOurs, passed } from './classify.ts';
import { answerDump } from './download.ts';
import { type ExecuteOptions, executePlan } from './execute-plan.ts';
import { front, listing, openApi, wantsOf } from './pages.ts';
import { helpOf, refuse } from './refuse.ts';
import { planned, present, resourceNamed, upToDate } from './resource.ts';
import { actionNamed, searchNames, siteOf } from './site.ts';

/** Answers one request. Any error becomes an answer, except `ClientGone`, which is thrown. */
export async function answer(gateway: Gateway, request: IncomingRequest): Promise<LoggedReply | ForwardedRequest> {
  const started = performance.now();
  const to = route(request.target, gateway.settings.server);
  const told: RequestLog = { action: calledBy(to), resource: null, caller: null, cache: null, spent: unspent() };
  const help = `${gateway.settings.server.siteUrl}${gateway.settings.server.basePath}`;
  const reply = await reach(gateway, request, to, help, told).catch((error: unknown) => {
    if (error instanceof ClientGone) throw error;
    return refuse(error, helpOf(help, to));
  });
  if ('to' in reply) return reply;
  const ended = (cause: unknown) => {
    // Destructured by name: copying objects for every call costs more than their fields.
    const { action, resource, caller, cache, spent } = told;
    gateway.emit({
      on: 'answered',
      id: request.id,
      address: addressOf(gateway, request),
      action,
      resource,
      caller,
      cache,
      status: reply.status,
      milliseconds: performance.now() - started,
      waited: spent.waited,
      queried: spent.queried,
      cause,
    });
  };
  const { origins } = gateway.settings.cors;
  const headers = withCors(reply.headers, header(request, 'origin'), origins, request.method === 'OPTIONS');
  const { body } = reply;
  if (isStream(body) && request.method !== 'HEAD') {
    return { ...reply, headers, body: { ...body, pieces: watched(body.pieces, ended) } };
  }
  ended(reply.cause);
  return headers === reply.headers ? reply : { ...reply, headers };
}

/** Calls `ended` after the last piece, with the error if there was one. */
async function* watched<T>(pieces: AsyncIterable<T>, ended: (cause: unknown) => void): AsyncGenerator<T, void> {
  let cause: unknown = new ClientGone();
  try {
    yield* pieces;
    cause = undefined;
  } catch (error) {
    cause = error instanceof Refusal ? (error.cause ?? error) : error;
    throw error;
  } finally {
    ended(cause);
  }
}

interface RequestLog {
  action: string;
  resource: string | null;
  caller: string | null;
  cache: Found['by'] | null;
  readonly spent: Spent;
}
/** A reply, with the error for the log and the hint for the request cache. */
type LoggedReply = Reply & { readonly cause?: unknown; readonly again?: CacheHint };

/** Data for the request cache about a permitted request; valid for one gateway. */
export interface CacheHint {
  readonly gateway: Gateway;
  readonly slot: CacheHandle;
  /** `Cache-Control` of its answers. */
  readonly control: string;
  readonly told: Readonly<Pick<RequestLog, 'action' | 'resource' | 'caller'>>;
}

async function reach(
  gateway: Gateway,
  request: IncomingRequest,
  to: Route,
  site: string,
  told: RequestLog,
): Promise<LoggedReply | ForwardedRequest> {
  const { upstream } = gateway.settings;
  const action = to.to === 'action' ? actionNamed(to.name) : undefined;
  await gateway.rates?.take({ caller: callerOf(gateway, request)?.name ?? null, address: addressOf(gateway, request) });
  if (to.to === 'nothing') throw notFound('no such page');
  const other = withoutCall(request.method, to.to !== 'action');
  if (other !== null) return other;
  if (to.to === 'version') return { status: 200, headers: {}, body: JSON.stringify({ version: to.version }) };
  if (to.to === 'front') return front(gateway, callerOf(gateway, request));
  if (to.to === 'dump') {
    const caller = callerOf(gateway, request);
    told.caller = caller?.name ?? null;
    const how = {
      gone: request.gone(),
      head: request.method === 'HEAD',
      encodings: header(request, 'accept-encoding'),
      // A token may be named like an address; the prefix keeps them apart.
      client: caller === null ? networkOf(addressOf(gateway, request)) : `token ${caller.name}`,
    };
    return answerDump(gateway, to, caller, how, told);
  }
  if (to.to === 'openapi') return openApi(gateway, request, site);
  if (action === undefined) throw malformed(`Action name not known: ${to.name}`);
  const room = roomOf(gateway, request, action);
  const { params, records, anonymous, callback } = await parameters({
    method: request.method === 'HEAD' ? 'GET' : request.method,
    sideEffectFree: action.sideEffectFree,
    query: to.query,
    contentType: header(request, 'content-type'),
    body: await request.content(room),
    limits: gateway.settings.limits,
  });
  if (upstream !== null && !isOurs(gateway, action, params)) return passed(gateway, request, await request.body(room));
  const who = anonymous ? 'callback' : whoSends(gateway, request);
  const caller = callerIn(who);
  told.caller = caller?.name ?? null;
  if (action.about === 'site') {
    const result = action.answer(params, siteOf(gateway, who, site));
    return succeeded(plainSuccess(helpOf(site, to), result), listing(gateway), callback);
  }
  let asked = action.start(params, gateway.bounds);
  if (records !== null) {
    // Permission comes first: the gateway reads no megabytes of records from a client that may not write them.
    admit(gateway, action, asked, who, told);
    asked = action.start({ ...params, records: await records() }, gateway.bounds);
  }
  if (action.lists && asked.resource === tableMetadata.resource) {
    told.resource = tableMetadata.resource;
    const outcome = searchNames(asked, siteOf(gateway, who, site), caller);
    const { responseBytes } = gateway.settings.limits;
    const body = await inSlices(success(helpOf(site, to), asked.result(tableMetadata, outcome), responseBytes));
    return succeeded(body, listing(gateway), callback);
  }
  return upToDate(gateway, async (now) => {
    const resource = admit(now, action, asked, who, told);
    const { maxAge } = action.effect === 'read' ? (now.settings.resources.get(resource.id)?.cache ?? {}) : {};
    const control = cacheControl(resource.access.read === 'token', maxAge);
    const isFresh = /\bno-cache\b/i.test(header(request, 'cache-control') ?? '');
    const gone = request.gone();
    const make = async (left: AbortSignal) => {
      const { table, outcome } = await carryOut(now, asked, resource, caller, { isFresh, gone: left }, told.spent);
      const { responseBytes } = now.settings.limits;
      const body = await inSlices(success(helpOf(site, to), asked.result(table, outcome), responseBytes));
      return { body, mayKeep: outcome.total?.estimated !== true };
    };
    const question = { resource: resource.id, action: action.name, language: to.language, params };
    const slot = action.effect === 'read' ? cacheHandle(now, question) : null;
    const kept = slot === null ? null : await getOrLoad(now, slot, isFresh, gone, make);
    if (slot === null || kept === null) return succeeded((await make(gone)).body, control, callback);
    told.cache = kept.by;
    if (callback !== null) return succeeded(kept.kept.body, control, callback);
    const again = { gateway: now, slot, control, told };
    const wants = wantsOf(request);
    if (wantsZipped(kept.kept, acceptsGzip(wants.acceptEncoding))) await kept.kept.gzip();
    return { ...found(kept, wants, control, performance.now()), again };
  });
}

/** The maximum size of the body. Only records need much room, and only from a client that may write, here or upstream. */
function roomOf(gateway: Gateway, request: IncomingRequest, { parameters }: AnyAction): Room {
  const { limits, upstream } = gateway.settings;
  const hasRecords = parameters.some(({ type }) => type === 'records');
  const mayWrite = () => upstream !== null || writesAny(callerOf(gateway, request));
  if (limits.bodyBytes <= limits.questionBytes || (hasRecords && mayWrite())) return bodyRoom(limits.bodyBytes);
  return questionRoom(limits.questionBytes);
}

async function succeeded(body: string | Uint8Array, control: string, callback: string | null): Promise<Reply> {
  const headers = { 'Cache-Control': control };
  if (callback === null) return { status: 200, headers, body };
  const script = await inSlices(jsonp(callback, typeof body === 'string' ? Buffer.from(body) : body));
  return { status: 200, headers: { ...headers, ...script.headers }, body: script.body };
}

/** The resource, if this caller may run the action on it. Throws 404 or 403 before anything of the table is revealed. */
function admit(gateway: Gateway, action: TableAction, asked: Started, who: Caller | Anonymous, told: RequestLog) {
  const resource = resourceNamed(gateway, asked.resource ?? '', action.unknown);
  told.resource = resource.id;
  permit(who, resource, action.effect);
  if (asked.alsoReads) permit(who, resource, 'read');
  return resource;
}

/** Plan → outcome. */
async function carryOut(
  gateway: Gateway,
  asked: Started,
  resource: ReturnType<typeof admit>,
  caller: Caller | null,
  how: ExecuteOptions,
  spent: Spent,
) {
  const { id, access, table } = present(resource);
  const plan = await planned(() => asked.plan({ id, access, table }, caller), resource.database);
  return { table, outcome: await executePlan(gateway, plan, how, spent) };
}

/** The action for metrics and log. All unknown names share one value, so that there are few. */
function calledBy(to: Route): string {
  if (to.to === 'action') return actionNamed(to.name)?.name ?? 'unknown';
  return to.to === 'dump' ? 'datastore_dump' : to.to === 'nothing' ? 'unknown' : to.to;
}
