/** Decides from a request's target, headers and parameters whether it goes upstream. */
import { headersWithToken, identify } from '../accept/caller.ts';
import { clientOf } from '../accept/client.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import type { RequestHead } from '../accept/request-head.ts';
import { decodeLeniently, type Route, resemblesDownload, route } from '../accept/route.ts';
import {
  type Answerer,
  type AnyAction,
  byUpstream,
  type SelectAction,
  type SiteAction,
  type TableAction,
} from '../actions/action.ts';
import * as actions from '../actions/index.ts';
import { tableMetadata } from '../actions/table_metadata/table.ts';
import type { Gateway } from '../app/gateway.ts';
import type { ForwardedRequest } from '../model/http.ts';
import { tablesOf } from '../model/select-tables.ts';
import type { Json, JsonObject } from '../model/value.ts';
import type { ConditionalHeaders } from '../reply/cached-reply.ts';
import { namesInSql } from '../values/sql-names.ts';
import { weights } from '../values/weights.ts';
import { guardedActions } from './guarded-actions.ts';

/** Decides whether the gateway, the upstream or both answer a call that the upstream could answer, too. */
export async function answererOf(
  gateway: Gateway,
  action: TableAction | SiteAction | SelectAction,
  params: JsonObject,
): Promise<Answerer> {
  const isResource = (name: string) => gateway.byName.get(name) !== undefined;
  if (action.about === 'site') return action.answeredBy(params, isResource, mayAnswer);
  if (action.about === 'select') return (await namesOurs(gateway, params.sql)) ? 'gateway' : 'upstream';
  const name = params.id ?? params.resource_id;
  if (action.servesTableMetadata && name === tableMetadata.resource) return 'both';
  return typeof name !== 'string' || isResource(name) ? 'gateway' : 'upstream';
}

/** Whether this is an action that the gateway may answer although there is an upstream. */
function mayAnswer(name: string): boolean {
  const action = actionNamed(name);
  return action !== undefined && !(action.about === 'site' && action.answeredBy === byUpstream);
}

/** Whether SQL names a resource of ours as a table. True as well if we cannot parse the SQL, and it contains such a name. */
async function namesOurs({ byName, resources, selects, settings }: Gateway, sent: Json | undefined): Promise<boolean> {
  const sql = typeof sent === 'string' ? sent : '';
  // PostgreSQL folds the case of an unquoted name.
  const ours = new Set([...byName.keys()].map((name) => name.toLowerCase()));
  if (!namesInSql(sql).some((name) => ours.has(name.toLowerCase()))) return false;
  if (!resources.some(({ access }) => access.sql)) return true;
  // The name may belong to a column of an upstream table.
  const select = await selects.parse(sql, settings.limits.sqlLength).catch(() => null);
  return select === null || tablesOf(select).some((name) => byName.has(name));
}

/** Whether the request goes upstream, as far as its target and headers tell. */
function goesUpstream(gateway: Gateway, to: Route, request: RequestHead): boolean {
  if (mayBeDownloadForm(request)) return false;
  if (to.to === 'dump') return gateway.byName.get(to.id) === undefined;
  if (to.to === 'mcp') return gateway.settings.mcp.serve === 'none';
  if (to.to === 'asset') return gateway.settings.explorer.serve === 'none';
  if (to.to === 'sitemap') return to.isRoot || gateway.settings.explorer.serve === 'none';
  if (to.to === 'explorer' && gateway.settings.explorer.serve === 'auto')
    return to.id !== null && gateway.byName.get(to.id) === undefined;
  if (to.to === 'action') return actionNamed(to.name) === undefined && !guardedActions.has(to.name);
  return to.to !== 'openapi';
}

/** Whether a request may be a download form, with a token of ours in its body, or in its URL if it was sent by GET. */
function mayBeDownloadForm({ target, headers }: RequestHead): boolean {
  const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
  return (hasBody || /[?&]token=/i.test(decodeLeniently(target))) && resemblesDownload(target);
}

/**
 * Forwards a WebSocket handshake to the upstream.
 * @returns null if there is no upstream, the address is ours, or the client asks for another protocol. The server then ignores the header
 *   `Upgrade` (RFC 9110 7.8): Java's HTTP client, for one, offers `h2c` with every request.
 */
export function forwardedUpgrade(gateway: Gateway, request: RequestHead): ForwardedRequest | null {
  const isWebSocket = request.method === 'GET' && header(request, 'upgrade')?.toLowerCase() === 'websocket';
  return isWebSocket ? forwardedByTarget(gateway, request) : null;
}

/** Forwards a request if its target and headers show that it is for the upstream. Returns null if not, or if there is no upstream. */
export function forwardedByTarget(gateway: Gateway, request: RequestHead): ForwardedRequest | null {
  const { upstream, server } = gateway.settings;
  if (upstream === null || !goesUpstream(gateway, route(request.target, server), request)) return null;
  return forwarded(gateway, request, null);
}

/**
 * A request to forward upstream. Its `tokens` are the headers that contain a token of ours: they must not reach the upstream.
 */
export function forwarded(
  gateway: Gateway,
  { headers, remote }: Pick<IncomingRequest, 'headers' | 'remote'>,
  body: Uint8Array | null,
  instead: ForwardedRequest['instead'] = null,
): ForwardedRequest {
  const { hash, settings, logins } = gateway;
  const isOurs = (token: string) =>
    identify(hash(token), settings.tokens) !== null || logins?.withholds(token) === true;
  const client = clientOf(remote, headers, gateway.trust);
  return {
    to: 'upstream',
    body,
    tokens: headersWithToken(headers, tokenHeader(settings), isOurs),
    client,
    instead,
  };
}

/** The additional header in which clients may send tokens (`upstream.access.header`), in lower case; null if there is none. */
export const tokenHeader = ({ upstream }: Gateway['settings']): string | null =>
  upstream?.access.header?.toLowerCase() ?? null;

/** The client's address: the connection's, or the one that a trusted proxy reports. */
export function addressOf(gateway: Gateway, { headers, remote }: Pick<IncomingRequest, 'headers' | 'remote'>): string {
  return clientOf(remote, headers, gateway.trust).address;
}

export function header(request: Pick<IncomingRequest, 'headers'>, name: string): string | undefined {
  return firstValue(request.headers[name]);
}

/** Whether a browser opens a page: it prefers HTML, while programs accept JSON or anything. */
export function isBrowser(request: Pick<IncomingRequest, 'headers'>): boolean {
  const accepted = weights(header(request, 'accept'));
  const html = accepted.get('text/html') ?? 0;
  return html > 0 && html >= (accepted.get('application/json') ?? 0);
}

/** The value of a header, or the first value if it was sent several times. */
function firstValue(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

/** The headers that decide between 304 and 200, and whether the body is compressed. */
export function conditionalHeadersOf(request: Pick<IncomingRequest, 'headers'>): ConditionalHeaders {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
  return { ifNoneMatch: firstValue(ifNoneMatch), acceptEncoding: firstValue(acceptEncoding) };
}

const byName: ReadonlyMap<string, AnyAction> = new Map(Object.entries(actions));

export function actionNamed(name: string): AnyAction | undefined {
  return byName.get(name);
}
