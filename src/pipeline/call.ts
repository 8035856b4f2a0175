/** A call: its request, its caller, and everything else that each step needs. Steps change only its log. */
import { identify, presentedToken } from '../accept/caller.ts';
import { clientOf } from '../accept/client.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import type { CallParameters } from '../accept/parameters.ts';
import { callerIn } from '../accept/permit.ts';
import { networkOf } from '../accept/rates.ts';
import { type Route, route } from '../accept/route.ts';
import type { ParsedCall, TableAction } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import { type Spent, unspent } from '../execute/connection/meter.ts';
import type { Anonymous, Caller } from '../model/http.ts';
import type { Resolved, Served } from '../tables/served.ts';
import { actionNamed, header } from './classify.ts';

export interface Call<R extends Route = Route> {
  readonly gateway: Gateway;
  readonly request: IncomingRequest;
  readonly route: R;
  readonly sender: Caller | Anonymous;
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
  /** Aborted when the client disconnects: then the running statement is cancelled. */
  readonly signal: AbortSignal;
  readonly log: CallLog;
}

export type ActionCall = Call<Extract<Route, { to: 'action' }>>;
export type DownloadCall = Call<Extract<Route, { to: 'dump' }>>;

/** A permitted call of an action on a resource. */
export interface TableCall {
  readonly call: ActionCall;
  readonly action: TableAction;
  readonly parsed: ParsedCall;
  readonly received: CallParameters;
  readonly resource: Resolved;
}

/** What the log says about a call, besides its reply. Steps fill in what they find out. */
export interface CallLog {
  /** The name of the action or page; `unknown` for every other name, so that the metrics have few labels. */
  readonly action: string;
  /** Null if the call names no configured resource. */
  resource: string | null;
  /** The name of the caller's token; null for anonymous. */
  caller: string | null;
  /** The time spent on the database. A download adds to it until its last byte. */
  readonly spent: Spent;
}

/** Creates the call of a request. Called when the gateway begins to work on it. */
export function begin(gateway: Gateway, request: IncomingRequest): Call {
  const { server, explorer } = gateway.settings;
  const url = `${server.siteUrl}${server.basePath}`;
  const requested = route(request.target, server);
  const isHidden = explorer.serve === 'none' && (requested.to === 'explorer' || requested.to === 'asset');
  const to: Route = isHidden ? { to: 'nothing' } : requested;
  const sender = senderOf(gateway, request);
  const began = performance.now();
  return {
    gateway,
    request,
    route: to,
    sender,
    address: clientOf(request.remote, request.headers, gateway.trust).address,
    url,
    help: helpUrl(url, to),
    began,
    received: request.receivedAt ?? began,
    refusesCached: /\bno-cache\b/i.test(header(request, 'cache-control') ?? ''),
    signal: request.disconnectSignal(),
    log: { action: actionOf(to), resource: null, caller: callerIn(sender)?.name ?? null, spent: unspent() },
  };
}

/** The action for metrics and log. All unknown names share one value: any client could invent more. */
function actionOf(route: Route): string {
  if (route.to === 'action') return actionNamed(route.name)?.name ?? 'unknown';
  return route.to === 'dump' ? 'datastore_dump' : route.to === 'nothing' ? 'unknown' : route.to;
}

/** The same call with another sender, who is also noted in its log. */
export function sentBy<C extends Call>(call: C, sender: Caller | Anonymous): C {
  call.log.caller = callerIn(sender)?.name ?? null;
  return { ...call, sender };
}

/** Identifies the client for limits: by its token or its network. The prefix tells a token from a network, whatever the token's name is. */
export function clientName({ sender, address }: Pick<Call, 'sender' | 'address'>): string {
  const caller = callerIn(sender);
  return caller === null ? networkOf(address) : `token ${caller.name}`;
}

/** The caller whose token is in the headers, or the reason why there is none. */
export function senderOf(served: Served, { headers }: Pick<IncomingRequest, 'headers'>): Caller | Anonymous {
  const token = presentedToken(headers);
  return token === null ? 'no token' : ownerOf(served, token);
}

/** The caller to whom this token belongs. */
export function ownerOf({ hash, settings }: Served, token: string): Caller | Anonymous {
  return identify(hash(token), settings.tokens) ?? 'unknown token';
}

/** The URL of the help, as in CKAN's envelope. */
function helpUrl(url: string, to: Route): string {
  if (to.to !== 'action') return `${url}/api/3/action/help_show`;
  const language = to.language === null ? '' : `/${to.language}`;
  return `${url}${language}/api/3/action/help_show?name=${encodeURIComponent(to.name)}`;
}
