/** A call: its request, its caller, and everything else that each step needs. Steps change only its log. */
import { identify, presentedToken } from '../accept/caller.ts';
import { clientOf } from '../accept/client.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { Unverified } from '../accept/logins/unverified.ts';
import { networkOf } from '../accept/network.ts';
import type { CallParameters } from '../accept/parameters.ts';
import { callerIn } from '../accept/permit.ts';
import { type Route, route } from '../accept/route.ts';
import { anonymous, type Credential, loginCookies, ofCookies, ofToken } from '../accept/verdicts/credential.ts';
import type { ParsedCall, TableAction } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import type { Spent } from '../execute/connection/meter.ts';
import type { Anonymous, Caller, CallerView } from '../model/http.ts';
import type { RowFilter } from '../model/row-filter.ts';
import type { ConditionalHeaders } from '../reply/cached-reply.ts';
import type { Resolved, Served } from '../tables/served.ts';
import { actionNamed, conditionalHeadersOf, header, tokenHeader } from './classify.ts';

export interface Call<R extends Route = Route> {
  readonly gateway: Gateway;
  readonly request: IncomingRequest;
  readonly route: R;
  readonly sender: Caller | Anonymous;
  /** What shows the upstream who sends the call; null if we know the sender ourselves, or no resource has `access: upstream`. */
  readonly credential: Credential | null;
  /** The JWT in the headers that is still to be verified; until then its sender is unknown. */
  readonly unverified: Unverified | null;
  /** Whether the call already counts for its address in `rateLimit`. */
  readonly isCounted: boolean;
  /** The address of the client. */
  readonly address: string;
  /** The public URL of the gateway, with its base path. */
  readonly url: string;
  /** The URL of the help, which CKAN's envelope contains. */
  readonly help: string;
  /** When the gateway began to work on the call, by `performance.now()`. */
  readonly began: number;
  /** When the request came, by `performance.now()`: earlier than `began` if it first waited for a proof of freshness. */
  readonly received: number;
  /** Whether the client refuses cached answers (`Cache-Control: no-cache`). */
  readonly refusesCached: boolean;
  readonly conditional: ConditionalHeaders;
  /** Aborted when the client disconnects: then the running statement is cancelled. */
  readonly signal: AbortSignal;
  readonly log: CallLog;
}

export type ActionCall = Call<Extract<Route, { to: 'action' }>>;
export type DownloadCall = Call<Extract<Route, { to: 'dump' }>>;

/** A permitted call of an action on a resource. */
export interface TableCall {
  readonly call: ActionCall;
  readonly action: Pick<TableAction, 'name'>;
  readonly parsed: ParsedCall;
  readonly received: CallParameters;
  readonly resource: Resolved;
  /** The other resources of a join; none if not given. */
  readonly others?: readonly Resolved[];
  /** The rows that the caller may see and write. */
  readonly rows: RowFilter;
  /** What only this caller may see; null if the action shows all callers the same. */
  readonly view: CallerView | null;
}

/** What the log says about a call, besides its reply. Steps fill in what they find out. */
export interface CallLog {
  /** The name of the action or page; `unknown` for every other name, so that the metrics have few labels. */
  action: string;
  /** Set if the action was called as a tool of `/mcp`. */
  via: 'mcp' | undefined;
  /** The status of the action if the answer has another one; else null. */
  status: number | null;
  /** Null if the call names no configured resource. */
  resource: string | null;
  /** The name of the caller's token; null for anonymous. */
  caller: string | null;
  /** The time spent on the database. A download adds to it until its last byte. */
  readonly spent: Spent;
}

/** Creates the call of a request. Called when the gateway begins to work on it. */
export function begin(gateway: Gateway, request: IncomingRequest): Call {
  const { server, catalog, explorer, mcp } = gateway.settings;
  const url = `${server.siteUrl}${server.basePath}`;
  const requested = route(request.target, server);
  const isHidden =
    (mcp.serve === 'none' && requested.to === 'mcp') ||
    (catalog.serve === 'none' && ['catalog', 'dataset'].includes(requested.to)) ||
    (explorer.serve === 'none' && ['explorer', 'asset', 'sitemap'].includes(requested.to));
  const to: Route = isHidden ? { to: 'nothing' } : requested;
  const identity = identified(gateway, request);
  const began = performance.now();
  return {
    gateway,
    request,
    route: to,
    ...identity,
    isCounted: false,
    address: clientOf(request.remote, request.headers, gateway.trust).address,
    url,
    help: helpUrl(url, to),
    began,
    received: request.receivedAt ?? began,
    refusesCached: /\bno-cache\b/i.test(header(request, 'cache-control') ?? ''),
    conditional: conditionalHeadersOf(request),
    signal: request.disconnectSignal(),
    log: {
      action: actionOf(to),
      via: undefined,
      status: null,
      resource: null,
      caller: callerIn(identity.sender)?.name ?? null,
      spent: { waited: 0, queried: 0 },
    },
  };
}

/** The action for metrics and log. All unknown names share one value: any client could invent more. */
function actionOf(route: Route): string {
  if (route.to === 'action') return actionNamed(route.name)?.name ?? 'unknown';
  return route.to === 'dump' ? 'datastore_dump' : route.to === 'nothing' ? 'unknown' : route.to;
}

/** The call of a tool as a call of its action, also in the log. The reply is neither compressed nor a 304, because `/mcp` wraps its body. */
export function asActionCall(call: Call, name: string): ActionCall {
  const route = { to: 'action', name, language: null, query: '' } as const;
  call.log.action = name;
  call.log.via = 'mcp';
  const conditional = { ifNoneMatch: undefined, acceptEncoding: undefined };
  return { ...call, route, conditional, help: helpUrl(call.url, route) };
}

/**
 * The same call with another sender, who is also noted in its log.
 * @param credential for the upstream; anonymous if not given
 */
export function sentBy<C extends Call>(
  call: C,
  sender: Caller | Anonymous | Unverified,
  credential: Credential = anonymous,
): C {
  const identity = identityOf(call.gateway, sender, credential);
  call.log.caller = callerIn(identity.sender)?.name ?? null;
  return { ...call, ...identity };
}

type Identity = Pick<Call, 'sender' | 'credential' | 'unverified'>;

/** Who sends a request, as far as its headers tell without asking anybody. */
export function identified(served: Served, request: Pick<IncomingRequest, 'method' | 'headers'>): Identity {
  const credential = served.verdicts === null ? anonymous : credentialOf(served, request);
  return identityOf(served, senderOf(served, request), credential);
}

/** The same identity, with its JWT verified if it has one. @throws Refusal unavailable (503) if that is not possible now */
export const certain = async (served: Served, identity: Identity): Promise<Identity> =>
  identity.unverified === null ? identity : identityOf(served, await identity.unverified.verify(), anonymous);

/** @param credential for the upstream, if we do not know the sender. A JWT of a configured issuer needs none: its grants decide. */
function identityOf({ verdicts }: Served, sender: Caller | Anonymous | Unverified, credential: Credential): Identity {
  if (sender instanceof Unverified) return { sender: 'unknown token', credential: null, unverified: sender };
  if (verdicts === null || typeof sender !== 'string') return { sender, credential: null, unverified: null };
  return { sender: verdicts.known(credential) ?? sender, credential, unverified: null };
}

/** What a request shows the upstream about its sender, according to `upstream.access`. */
function credentialOf({ settings, hash }: Served, { method, headers }: Pick<IncomingRequest, 'method' | 'headers'>) {
  const presented = presentedToken(headers, tokenHeader(settings));
  if (presented !== null) return ofToken(presented, hash);
  return ofCookies(loginCookies(method, headers, settings.upstream?.access.cookies ?? []), hash);
}

/**
 * The same call, sent by the owner of this JWT. Counts it for its address before the token is verified, because anybody can make up
 * tokens that take time to verify.
 */
export async function verified<C extends Call>(call: C, token: Unverified): Promise<C> {
  await call.gateway.rates?.take({ caller: null, address: call.address });
  return { ...sentBy(call, await token.verify()), isCounted: true };
}

/** Identifies the client for limits: by its token or its network. The prefix tells a token from a network, whatever the token's name is. */
export function clientName({ sender, address }: Pick<Call, 'sender' | 'address'>): string {
  const name = callerIn(sender)?.name ?? null;
  return name === null ? networkOf(address) : `token ${name}`;
}

/** The caller whose token is in the headers, or the reason why there is none, or the token if it must be verified first. */
function senderOf(served: Served, { headers }: Pick<IncomingRequest, 'headers'>): Caller | Anonymous | Unverified {
  const presented = presentedToken(headers, tokenHeader(served.settings));
  return presented === null ? 'no token' : ownerOf(served, presented.token);
}

/** The caller to whom this token belongs: a token of the configuration, or a JWT. */
export function ownerOf({ hash, settings, logins }: Served, token: string): Caller | Anonymous | Unverified {
  const sha256 = hash(token);
  return identify(sha256, settings.tokens) ?? logins?.find(token, sha256) ?? 'unknown token';
}

/** The URL of the help, as in CKAN's envelope. */
function helpUrl(url: string, to: Route): string {
  if (to.to !== 'action') return `${url}/api/3/action/help_show`;
  const language = to.language === null ? '' : `/${to.language}`;
  return `${url}${language}/api/3/action/help_show?name=${encodeURIComponent(to.name)}`;
}
