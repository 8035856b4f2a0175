/** A call from bytes to bytes. Read this file first: each step passes a named value to the next. */
import { type BodyLimit, bodyLimit, questionLimit } from '../accept/body.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { withoutCall } from '../accept/method.ts';
import { parameters, type Received } from '../accept/parameters.ts';
import { callerIn, writesAny } from '../accept/permit.ts';
import type { Route } from '../accept/route.ts';
import type { AnyAction, SiteAction, TableAction } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import { malformed, notFound } from '../model/errors.ts';
import type { ForwardedRequest, UpstreamAnswer } from '../model/http.ts';
import { plainSuccess } from '../reply/envelope.ts';
import { begin, type Call } from './begin.ts';
import { answerChanges } from './change-stream.ts';
import { answererOf, forwarded, header } from './classify.ts';
import { answerDump } from './download.ts';
import { withForm } from './download-form.ts';
import { asset, explorer, opensExplorer } from './explore.ts';
import { type Guarded, guardedActions, refuseOurs } from './guarded-actions.ts';
import { front, listing, openApi } from './pages.ts';
import { type CallAnswer, failed, finish, logOf, uncached } from './report.ts';
import { actionNamed, siteOf } from './site.ts';
import { succeeded } from './succeeded.ts';
import { callTable } from './table-call.ts';
import { namesTarget } from './upstream-names.ts';

/** Answers one request. Any error becomes an answer, except `ClientGone`, which is thrown. */
export async function answer(gateway: Gateway, request: IncomingRequest): Promise<CallAnswer | ForwardedRequest> {
  const call = begin(gateway, request);
  const answered = await respond(call).catch((error: unknown) => failed(error, call, logOf(call)));
  return 'to' in answered ? answered : { ...answered, reply: finish(call, answered) };
}

async function respond(call: Call): Promise<CallAnswer | ForwardedRequest> {
  const { request, route } = call;
  if (route.to !== 'dump' || request.method !== 'POST') return respondTo(call);
  const sent = await withForm({ ...call, route }).catch(async (error: unknown) => {
    // A form that cannot be read has no token, so it counts for its address.
    await call.gateway.rates?.take({ caller: null, address: call.address });
    throw error;
  });
  return respondTo(sent).catch((error: unknown) => failed(error, call, logOf(sent)));
}

async function respondTo(call: Call): Promise<CallAnswer | ForwardedRequest> {
  const { gateway, request, route, address } = call;
  const caller = callerIn(call.sender);
  // The page and its files cost nothing: one view would use up a limit meant for calls.
  if (route.to !== 'asset' && route.to !== 'explorer')
    await gateway.rates?.take({ caller: caller?.name ?? null, address });
  if (route.to === 'nothing') throw notFound('no such page');
  const action = route.to === 'action' ? actionNamed(route.name) : undefined;
  const takesBody = route.to === 'dump' || (route.to === 'action' && action?.about !== 'stream');
  const other = withoutCall(request.method, !takesBody);
  if (other !== null) return uncached(other, logOf(call));
  switch (route.to) {
    case 'action':
      return callAction({ ...call, route }, action);
    case 'dump':
      return answerDump({ ...call, route });
    case 'openapi':
      return uncached(await openApi({ ...call, route }), logOf(call));
    case 'front':
      return uncached(opensExplorer(call) ? await explorer(call, null, null) : front(gateway, caller), logOf(call));
    case 'explorer':
      return uncached(await explorer(call, route.language, route.id), logOf(call));
    case 'asset':
      return uncached(await asset({ ...call, route }), logOf(call));
    case 'version':
      return uncached({ status: 200, headers: {}, body: JSON.stringify({ version: route.version }) }, logOf(call));
  }
}

type ActionCall = Call<Extract<Route, { to: 'action' }>>;

async function callAction(call: ActionCall, action: AnyAction | undefined): Promise<CallAnswer | ForwardedRequest> {
  const { gateway, request, route } = call;
  if (action?.about === 'stream') return answerChanges(call, action);
  const { upstream } = gateway.settings;
  const known = action ?? (upstream === null ? undefined : guardedActions.get(route.name));
  if (known === undefined) throw malformed(`Action name not known: ${route.name}`);
  const limit = bodyLimitOf(call, known);
  const received = await parameters({
    method: request.method === 'HEAD' ? 'GET' : request.method,
    sideEffectFree: known.sideEffectFree,
    query: route.query,
    contentType: header(request, 'content-type'),
    body: await request.content(limit),
    limits: gateway.settings.limits,
  });
  if (action === undefined) {
    refuseOurs(gateway, route.name, received.params);
    return forwarded(gateway, request, await request.body(limit));
  }
  const answerer = upstream === null ? 'gateway' : answererOf(gateway, action, received.params);
  if (answerer === 'gateway') return callOwn(call, action, received);
  const body = await request.body(limit);
  if (answerer === 'upstream') return forwarded(gateway, request, body);
  const isListed = answerer === 'both';
  return forwarded(gateway, request, isListed ? Buffer.alloc(0) : body, {
    target: isListed ? namesTarget(request.target) : null,
    mostBytes: gateway.settings.limits.responseBytes,
    reply: async (answer) => finish(call, await callOwn(call, action, received, answer)),
  });
}

/** @param upstream what the upstream has answered to the same call */
function callOwn(
  call: ActionCall,
  action: TableAction | SiteAction,
  received: Received,
  upstream: UpstreamAnswer | null = null,
): Promise<CallAnswer> {
  const own: ActionCall = received.anonymous ? { ...call, sender: 'callback' } : call;
  const answered =
    action.about === 'site' ? callSite(own, action, received) : callTable(own, action, received, upstream);
  return answered.catch((error: unknown) => failed(error, call, logOf(own)));
}

/** The maximum size of the body. Only records need much, and only from a client that may write, here or upstream. */
function bodyLimitOf({ gateway, sender }: Call, { parameters }: Guarded): BodyLimit {
  const { limits, upstream } = gateway.settings;
  const hasRecords = parameters.some(({ type }) => type === 'records');
  const mayWrite = upstream !== null || writesAny(callerIn(sender));
  if (limits.bodyBytes <= limits.questionBytes || (hasRecords && mayWrite)) return bodyLimit(limits.bodyBytes);
  return questionLimit(limits.questionBytes);
}

/** An action that needs no database. */
async function callSite(call: ActionCall, action: SiteAction, { params, callback }: Received): Promise<CallAnswer> {
  const { gateway, help } = call;
  const body = plainSuccess(help, action.answer(params, siteOf(call)));
  return uncached(await succeeded(body, listing(gateway), callback), logOf(call));
}
