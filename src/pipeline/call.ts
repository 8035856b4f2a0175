/** One call: the head of its request, its caller, and what every step has to know of it. No step changes it but for the log. */
import { identify, presentedToken } from '../accept/caller.ts';
import { clientOf } from '../accept/client.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import type { Received } from '../accept/parameters.ts';
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
  /** The address of the help of this call, as an envelope has it. */
  readonly help: string;
  /** When the gateway began to work on it, by `performance.now()`. */
  readonly began: number;
  /** When the request came, by the same clock: a proof of freshness may have been waited for since. */
  readonly received: number;
  /** Whether the client accepts no cached answer (`Cache-Control: no-cache`). */
  readonly fresh: boolean;
  /** Aborted when the client has left: then the running statement is cancelled. */
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
  readonly received: Received;
  readonly resource: Resolved;
}

/** The line of a call in the log, beside its reply. Steps fill in what they find out. */
export interface CallLog {
  /** One of few words: an action, `unknown` for an unknown name. */
  readonly action: string;
  /** Null where the call names no configured resource. */
  resource: string | null;
  /** The name of the caller's token; null for anonymous. */
  caller: string | null;
  /** The time on the database. A download adds to it until its last byte. */
  readonly spent: Spent;
}

export function begin(gateway: Gateway, request: IncomingRequest): Call {
  const { server, explorer } = gateway.settings;
  const url = `${server.siteUrl}${server.basePath}`;
  const found = route(request.target, server);
  const isHidden = explorer.serve === 'none' && (found.to === 'explorer' || found.to === 'asset');
  const to: Route = isHidden ? { to: 'nothing' } : found;
  const sender = senderOf(gateway, request);
  const began = performance.now();
  return {
    gateway,
    request,
    route: to,
    sender,
    address: clientOf(request.remote, request.headers, gateway.trust).address,
    url,
    help: addressOfHelp(url, to),
    began,
    received: request.asked ?? began,
    fresh: /\bno-cache\b/i.test(header(request, 'cache-control') ?? ''),
    signal: request.gone(),
    log: { action: actionOf(to), resource: null, caller: callerIn(sender)?.name ?? null, spent: unspent() },
  };
}

/** The action for metrics and log. All unknown names share one value, so that there are few. */
function actionOf(route: Route): string {
  if (route.to === 'action') return actionNamed(route.name)?.name ?? 'unknown';
  return route.to === 'dump' ? 'datastore_dump' : route.to === 'nothing' ? 'unknown' : route.to;
}

/** The same call by another sender. */
export function sentBy<C extends Call>(call: C, sender: Caller | Anonymous): C {
  call.log.caller = callerIn(sender)?.name ?? null;
  return { ...call, sender };
}

/** The name under which all calls of a client count. A token may be named like an address; the prefix keeps them apart. */
export function clientName({ sender, address }: Pick<Call, 'sender' | 'address'>): string {
  const caller = callerIn(sender);
  return caller === null ? networkOf(address) : `token ${caller.name}`;
}

/** The caller that the token identifies, or why there is none. */
export function senderOf(served: Served, { headers }: Pick<IncomingRequest, 'headers'>): Caller | Anonymous {
  const token = presentedToken(headers);
  return token === null ? 'no token' : ownerOf(served, token);
}

/** The caller that this token identifies. */
export function ownerOf({ hash, settings }: Served, token: string): Caller | Anonymous {
  return identify(hash(token), settings.tokens) ?? 'unknown token';
}

/** The address of the help of a call, as an envelope has it. */
function addressOfHelp(url: string, to: Route): string {
  if (to.to !== 'action') return `${url}/api/3/action/help_show`;
  const language = to.language === null ? '' : `/${to.language}`;
  return `${url}${language}/api/3/action/help_show?name=${encodeURIComponent(to.name)}`;
}
