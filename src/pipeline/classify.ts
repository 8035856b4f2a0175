/** What is for the application behind, and who asks for it. Joins addresses and tokens with settings and catalogue. */
import { headersWithToken, identify } from '../accept/caller.ts';
import { clientOf } from '../accept/client.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { type Route, route } from '../accept/route.ts';
import type { AnyAction } from '../actions/action.ts';
import type { Gateway } from '../gateway/build.ts';
import type { ForwardedRequest } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';
import { actionNamed, configured } from './site.ts';

/** Whether this gateway answers a call where an application behind it would, too. */
export function isOurs(gateway: Gateway, action: AnyAction, params: JsonObject): boolean {
  const isResource = (name: string) => configured(gateway, name) !== undefined;
  if (action.about === 'site') return action.isOurs(params, isResource, (name) => actionNamed(name) !== undefined);
  const named = params.id ?? params.resource_id;
  return typeof named !== 'string' || isResource(named);
}

/** Whether the address alone says that it is not ours. */
function isOfUpstream(gateway: Gateway, to: Route): boolean {
  if (to.to === 'dump') return configured(gateway, to.id) === undefined;
  return to.to === 'action' ? actionNamed(to.name) === undefined : to.to !== 'openapi';
}

/**
 * Takes a request to become a WebSocket to the application behind.
 * @returns null where there is none, for our own addresses, and for other protocols: then it is a request like any other (RFC 9110
 * 7.8). Java's own client offers `h2c` with every request.
 */
export function upgrade(
  gateway: Gateway,
  request: Pick<IncomingRequest, 'method' | 'target' | 'headers' | 'remote'>,
): ForwardedRequest | null {
  const isWebSocket = request.method === 'GET' && header(request, 'upgrade')?.toLowerCase() === 'websocket';
  return isWebSocket ? elsewhere(gateway, request) : null;
}

/** Takes what by its address alone is not a call of ours; null for all else, and where there is no application behind. */
export function elsewhere(
  gateway: Gateway,
  request: Pick<IncomingRequest, 'target' | 'headers' | 'remote'>,
): ForwardedRequest | null {
  const { upstream, server } = gateway.settings;
  if (upstream === null || !isOfUpstream(gateway, route(request.target, server))) return null;
  return passed(gateway, request, null);
}

/** The application behind answers; a token of ours is told apart from one of its own. */
export function passed(
  gateway: Gateway,
  { headers, remote }: Pick<IncomingRequest, 'headers' | 'remote'>,
  body: Uint8Array | null,
): ForwardedRequest {
  const isOurs = (token: string) => identify(gateway.hash(token), gateway.settings.tokens) !== null;
  const client = clientOf(remote, headers, gateway.trust);
  return { to: 'upstream', body, tokens: headersWithToken(headers, isOurs), client };
}

/** Whose call it is, by address: the peer's own, or the one that a trusted proxy speaks for. */
export function addressOf(gateway: Gateway, { headers, remote }: Pick<IncomingRequest, 'headers' | 'remote'>): string {
  return clientOf(remote, headers, gateway.trust).address;
}

export function header(request: Pick<IncomingRequest, 'headers'>, name: string): string | undefined {
  return single(request.headers[name]);
}

/** The first where there are several. */
export function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
