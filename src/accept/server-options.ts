import type { ServerResponse } from 'node:http';
import type { ForwardedRequest, ReadyReply, Reply } from '../model/http.ts';
import type { Forward } from './forwarded-requests.ts';
import type { IncomingRequest } from './incoming.ts';
import type { Limits } from './limits.ts';
import type { RequestHead } from './request-head.ts';
import type { Unparsed } from './unparsed.ts';

/** The request cache; `find` returns null for a request that must take the full path. */
export interface FastReplies {
  /**
   * @param body `''` if the request has none
   * @returns a promise if the database must first confirm that the reply is fresh. If it turns out to be stale, the promise
   * resolves with the `performance.now()` of the request's arrival, so that the full path does not check again
   */
  find(request: RequestHead, body: string): ReadyReply | Promise<ReadyReply | number> | null;
  /** Whether the cache may have a reply for a request with this head, so that its body is worth reading here. */
  expects(request: RequestHead): boolean;
}

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
