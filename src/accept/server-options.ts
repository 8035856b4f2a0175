import type { ServerResponse } from 'node:http';
import type { ForwardedRequest, Reply } from '../model/http.ts';
import type { FastReplies, RequestHead } from './fast-path.ts';
import type { Forward } from './forwarded-requests.ts';
import type { IncomingRequest } from './incoming.ts';
import type { Limits } from './limits.ts';
import type { Unparsed } from './unparsed.ts';

/** The parts of the gateway that the main port needs. */
export interface ServerOptions {
  readonly requestCache: FastReplies;
  /** Returns the request to forward if its target alone shows that it is for the upstream; null without an upstream. */
  readonly forwardedByTarget: ((head: RequestHead) => ForwardedRequest | null) | null;
  answer(request: IncomingRequest): Promise<Reply | ForwardedRequest>;
  /** Turns any error thrown while a request from `origin` was handled into a reply. */
  refuse(error: unknown, origin: string | undefined): Reply & { readonly body: string };
  /** Headers for the answer to an unreadable request. */
  unreadable(): Readonly<Record<string, string>>;
  /** Sends a reply. The connection stays open until `held` resolves, so that a client that is still sending can read the reply. */
  send(
    res: ServerResponse,
    reply: Reply,
    how: { readonly id: string; readonly head: boolean; readonly held: Promise<void> | null },
  ): void;
  readonly forward: Forward;
  /** Forwards a connection that asks for another protocol; see {@link Unparsed}. */
  readonly upgrade: Unparsed['upgrade'];
  readonly limits: Limits;
  /** Called when `limits.connections` was reached, so that we closed an idle connection to make room, or else the new one. */
  full(closed: 'idle' | 'new'): void;
}
