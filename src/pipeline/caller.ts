/** The caller that the token of a request identifies. */
import { identify, presentedToken } from '../accept/caller.ts';
import type { IncomingRequest } from '../accept/incoming.ts';
import { callerIn } from '../accept/permit.ts';
import type { Gateway } from '../gateway/build.ts';
import type { Anonymous, Caller } from '../model/http.ts';

export function callerOf(gateway: Gateway, request: Pick<IncomingRequest, 'headers'>): Caller | null {
  return callerIn(whoSends(gateway, request));
}

/** The caller, or why there is none. */
export function whoSends(gateway: Gateway, { headers }: Pick<IncomingRequest, 'headers'>): Caller | Anonymous {
  const token = presentedToken(headers);
  if (token === null) return 'no token';
  return identify(gateway.hash(token), gateway.settings.tokens) ?? 'unknown token';
}
