/** A call from request to reply: who calls, who answers, and which file of this folder does it. Read this file first. */
import type { BodyLimit } from '../accept/body.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { parameters } from '../accept/parameters.ts';
import { callerIn, writesAny } from '../accept/permit.ts';
import { withoutCall } from '../accept/route.ts';
import type { AnyAction } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import { malformed, notFound } from '../model/errors.ts';
import type { ForwardedRequest } from '../model/http.ts';
import { type ActionCall, begin, type Call, verified } from './call.ts';
import { catalog, dataset } from './catalogue.ts';
import { answerChanges } from './changes.ts';
import { actionNamed, answererOf, forwarded, header } from './classify.ts';
import { answerDump } from './download.ts';
import { withForm } from './download-form.ts';
import { asset, explorer, opensExplorer } from './explore.ts';
import { answerOfError, type CallAnswer, finish, uncached } from './finish.ts';
import { type Guarded, guardedActions, refuseOurResources } from './guarded-actions.ts';
import { answerMcp } from './mcp.ts';
import { answerOwn } from './own-action.ts';
import { front, openApi } from './pages.ts';
import { sitemap } from './public-tables.ts';
import { targetOfNames } from './upstream-names.ts';

/** The outcome of a request: a request to forward, or our own answer with its call. */
export type Answered = ForwardedRequest | (CallAnswer & { readonly call: Call });

/** Answers one request. Any error becomes an answer, except `ClientGone`, which is thrown. */
export async function answer(gateway: Gateway, request: IncomingRequest): Promise<Answered> {
  const call = begin(gateway, request);
  const answered = await respond(call).catch((error: unknown) => answerOfError(error, call));
  return 'to' in answered ? answered : { ...answered, call, reply: finish(call, answered) };
}

async function respond(begun: Call): Promise<CallAnswer | ForwardedRequest> {
  const { gateway, request } = begun;
  const isForm = begun.route.to === 'dump' && request.method === 'POST';
  const identified = isForm ? await withForm({ ...begun, route: begun.route }) : begun;
  const { unverified } = identified;
  const call = unverified === null ? identified : await verified(identified, unverified);
  const { route } = call;
  const caller = callerIn(call.sender);
  // The explorer's page and files don't count: opening it once would use up a limit that is meant for calls.
  const isCounted = route.to === 'asset' || route.to === 'explorer' || (call.isCounted && caller === null);
  if (!isCounted) await gateway.rates?.take({ caller: caller?.name ?? null, address: call.address });
  if (route.to === 'nothing') throw notFound('no such page');
  if (route.to === 'mcp') return answerMcp(call);
  const action = route.to === 'action' ? actionNamed(route.name) : undefined;
  const takesBody = route.to === 'dump' || (route.to === 'action' && action?.about !== 'stream');
  const otherMethod = withoutCall(request.method, !takesBody);
  if (otherMethod !== null) return uncached(otherMethod);
  switch (route.to) {
    case 'action':
      return callAction({ ...call, route }, action);
    case 'dump':
      return answerDump({ ...call, route });
    case 'openapi':
      return uncached(await openApi({ ...call, route }));
    case 'front':
      return uncached(opensExplorer(call) ? await explorer(call, null, null) : await front(call));
    case 'explorer':
      return uncached(await explorer(call, route.language, route.id));
    case 'sitemap':
      return uncached(sitemap(call));
    case 'catalog':
      return uncached(await catalog({ ...call, route }));
    case 'dataset':
      return uncached(await dataset({ ...call, route }));
    case 'asset':
      return uncached(await asset({ ...call, route }));
    case 'version':
      return uncached({ status: 200, headers: {}, body: JSON.stringify({ version: route.version }) });
  }
}

async function callAction(call: ActionCall, action: AnyAction | undefined): Promise<CallAnswer | ForwardedRequest> {
  const { gateway, request, route } = call;
  if (action?.about === 'stream') return answerChanges(call, action);
  const { upstream, limits } = gateway.settings;
  const readable = action ?? (upstream === null ? undefined : guardedActions.get(route.name));
  if (readable === undefined) throw malformed(`Action name not known: ${route.name}`);
  const limit = bodyLimitOf(call, readable);
  const received = await parameters({
    method: request.method === 'HEAD' ? 'GET' : request.method,
    sideEffectFree: readable.sideEffectFree,
    query: route.query,
    contentType: header(request, 'content-type'),
    body: await request.content(limit),
    limits,
  });
  if (action === undefined) {
    refuseOurResources(gateway, route.name, received.params);
    return forwarded(gateway, request, await request.body(limit));
  }
  const answerer = upstream === null ? 'gateway' : await answererOf(gateway, action, received.params);
  if (answerer === 'gateway') return answerOwn(call, action, received, null);
  const body = await request.body(limit);
  if (answerer === 'upstream') return forwarded(gateway, request, body);
  const isListed = answerer === 'both';
  return forwarded(gateway, request, isListed ? Buffer.alloc(0) : body, {
    target: isListed ? targetOfNames(request.target) : null,
    mostBytes: limits.responseBytes,
    async reply(upstreamAnswer) {
      const answered = answerOwn(call, action, received, upstreamAnswer);
      return finish(call, await answered.catch((error: unknown) => answerOfError(error, call)));
    },
  });
}

/** The maximum size of the body. Only records may be large, and only from a client that may write to us or upstream. */
function bodyLimitOf({ gateway, sender }: Call, { parameters }: Guarded): BodyLimit {
  const { limits, upstream } = gateway.settings;
  const hasRecords = parameters.some(({ type }) => type === 'records');
  const takesLarge = hasRecords && (upstream !== null || writesAny(callerIn(sender)));
  if (limits.bodyBytes <= limits.questionBytes || takesLarge) return { bytes: limits.bodyBytes, setting: 'bodyBytes' };
  return { bytes: limits.questionBytes, setting: 'questionBytes' };
}
