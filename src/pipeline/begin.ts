/** What the head of a request says: its route, its sender and its address. Every step reads it; none changes it. */
import { identify, presentedToken } from '../accept/caller.ts';
import { clientOf } from '../accept/client.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { callerIn } from '../accept/permit.ts';
import { networkOf } from '../accept/rates.ts';
import { type Route, route } from '../accept/route.ts';
import type { Gateway } from '../app/gateway.ts';
import type { Anonymous, Caller } from '../model/http.ts';
import type { Served } from '../tables/served.ts';
import { addressOfHelp } from './refuse.ts';

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
  /** By `performance.now()`. */
  readonly began: number;
}

export function begin(gateway: Gateway, request: IncomingRequest): Call {
  const { server, explorer } = gateway.settings;
  const url = `${server.siteUrl}${server.basePath}`;
  const found = route(request.target, server);
  const isHidden = explorer.serve === 'none' && (found.to === 'explorer' || found.to === 'asset');
  const to: Route = isHidden ? { to: 'nothing' } : found;
  return {
    gateway,
    request,
    route: to,
    sender: senderOf(gateway, request),
    address: clientOf(request.remote, request.headers, gateway.trust).address,
    url,
    help: addressOfHelp(url, to),
    began: performance.now(),
  };
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
