/** Decides whether a request goes upstream. Joins addresses and tokens with settings and catalogue. */
import { headersWithToken, identify } from '../accept/caller.ts';
import { clientOf } from '../accept/client.ts';
import type { RequestHead } from '../accept/fast-path.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { decodeLeniently, type Route, resemblesDownload, route } from '../accept/route.ts';
import type { Answerer, AnyAction, SiteAction, TableAction } from '../actions/action.ts';
import * as actions from '../actions/index.ts';
import { tableMetadata } from '../actions/table_metadata/table.ts';
import type { Gateway } from '../app/gateway.ts';
import type { ForwardedRequest } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';
import type { ConditionalHeaders } from '../reply/cached-reply.ts';
import { weights } from '../values/weights.ts';
import { guardedActions } from './guarded-actions.ts';

/** Who answers a call that the upstream could answer, too. */
export function answererOf(gateway: Gateway, action: TableAction | SiteAction, params: JsonObject): Answerer {
  const isResource = (name: string) => gateway.resource(name) !== undefined;
  if (action.about === 'site') return action.answeredBy(params, isResource, (name) => actionNamed(name) !== undefined);
  const named = params.id ?? params.resource_id;
  if (action.lists && named === tableMetadata.resource) return 'both';
  return typeof named !== 'string' || isResource(named) ? 'gateway' : 'upstream';
}

/** Whether the head of a request alone shows that the call goes upstream. */
function isOfUpstream(gateway: Gateway, to: Route, request: RequestHead): boolean {
  if (mayBeDownloadForm(request)) return false;
  if (to.to === 'dump') return gateway.resource(to.id) === undefined;
  if (to.to === 'asset') return gateway.settings.explorer.serve === 'none';
  if (to.to === 'explorer' && gateway.settings.explorer.serve === 'auto')
    return to.id !== null && gateway.resource(to.id) === undefined;
  if (to.to === 'action') return actionNamed(to.name) === undefined && !guardedActions.has(to.name);
  return to.to !== 'openapi';
}

/** Whether a request may be the form of a download, which carries a token in its body, or in its URL if it was sent by GET. */
function mayBeDownloadForm({ target, headers }: RequestHead): boolean {
  const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
  return (hasBody || /[?&]token=/i.test(decodeLeniently(target))) && resemblesDownload(target);
}

/**
 * Forwards a WebSocket handshake to the upstream.
 * @returns null without an upstream, for our own addresses, and for other protocols. The request is then an ordinary one (RFC
 * 9110 7.8): Java's own client offers `h2c` with every request.
 */
export function forwardedUpgrade(gateway: Gateway, request: RequestHead): ForwardedRequest | null {
  const isWebSocket = request.method === 'GET' && header(request, 'upgrade')?.toLowerCase() === 'websocket';
  return isWebSocket ? forwardedByTarget(gateway, request) : null;
}

/** Forwards a request whose head alone shows that it is not ours; null otherwise, and without an upstream. */
export function forwardedByTarget(gateway: Gateway, request: RequestHead): ForwardedRequest | null {
  const { upstream, server } = gateway.settings;
  if (upstream === null || !isOfUpstream(gateway, route(request.target, server), request)) return null;
  return forwarded(gateway, request, null);
}

/**
 * A request to forward upstream. Its `tokens` are the headers with a token of ours, which the upstream must not get.
 */
export function forwarded(
  gateway: Gateway,
  { headers, remote }: Pick<IncomingRequest, 'headers' | 'remote'>,
  body: Uint8Array | null,
  instead: ForwardedRequest['instead'] = null,
): ForwardedRequest {
  const isOurs = (token: string) => identify(gateway.hash(token), gateway.settings.tokens) !== null;
  const client = clientOf(remote, headers, gateway.trust);
  return { to: 'upstream', body, tokens: headersWithToken(headers, isOurs), client, instead };
}

/** The client's address: the peer's own, or the one that a trusted proxy states. */
export function addressOf(gateway: Gateway, { headers, remote }: Pick<IncomingRequest, 'headers' | 'remote'>): string {
  return clientOf(remote, headers, gateway.trust).address;
}

export function header(request: Pick<IncomingRequest, 'headers'>, name: string): string | undefined {
  return single(request.headers[name]);
}

/** Whether the client is a browser that opens a page. Programs accept JSON or anything. */
export function isBrowser(request: Pick<IncomingRequest, 'headers'>): boolean {
  const accepted = weights(header(request, 'accept'));
  const html = accepted.get('text/html') ?? 0;
  return html > 0 && html >= (accepted.get('application/json') ?? 0);
}

/** The first where there are several. */
export function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

/** The headers that decide whether a client has the answer, and how it is packed. */
export function wantsOf(request: Pick<IncomingRequest, 'headers'>): ConditionalHeaders {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
  return { ifNoneMatch: single(ifNoneMatch), acceptEncoding: single(acceptEncoding) };
}

const byName: ReadonlyMap<string, AnyAction> = new Map(Object.entries(actions));

/** Undefined where there is no such action. */
export function actionNamed(name: string): AnyAction | undefined {
  return byName.get(name);
}
