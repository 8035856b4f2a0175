/** The full path: a request that the fast path can't answer is answered by the gateway, or forwarded. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { malformed, Refusal } from '../model/errors.ts';
import { type ForwardedRequest, isStream, type Reply, UpstreamAnswer } from '../model/http.ts';
import { ClientGone } from './body.ts';
import type { Connections } from './connections.ts';
import { decoder } from './decode.ts';
import { ForwardedRequests } from './forwarded-requests.ts';
import { Incoming } from './incoming.ts';
import type { IncomingBytes } from './incoming-bytes.ts';
import { linger } from './linger.ts';
import type { Pipelined } from './pipelined.ts';
import { checkFraming, identified, knownBody, NodeHead } from './request-head.ts';
import { mayBeOurs } from './route.ts';
import type { ServerOptions } from './server-options.ts';
import type { Unsent } from './unsent.ts';

/** What all requests of a server share. */
export interface ServerState {
  readonly connections: Connections;
  readonly incomingBytes: IncomingBytes;
  readonly pipelined: Pipelined;
  readonly unsent: Unsent;
}

/** A request, its response, and its id for the log. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly id: string;
  /** Whether the client still waits for `100 Continue` before it sends its body (RFC 9110 10.1.1). */
  awaitsContinue: boolean;
}

export class FullPath {
  /** Whether each answer closes its connection, because the server is about to close. */
  isLeaving = false;
  readonly #options: ServerOptions;
  readonly #state: ServerState;
  readonly #onEnd: () => void;
  readonly #forwarded: ForwardedRequests;
  readonly #decode = decoder();

  /** @param onEnd called after each response */
  constructor(options: ServerOptions, state: ServerState, onEnd: () => void) {
    this.#options = options;
    this.#state = state;
    this.#onEnd = onEnd;
    this.#forwarded = new ForwardedRequests(options.forward, options.limits.lingerMs);
  }

  /**
   * Answers or forwards a request. Never rejects.
   * @param known the body, or its refusal; null for a body that has not been read yet
   * @param receivedAt see `FastReplies.find`
   */
  take(req: IncomingMessage, res: ServerResponse, known: Buffer | Refusal | null, receivedAt?: number): Promise<void> {
    return orEnd(res, this.#answerOrForward(this.#begin(req, res, false), known, receivedAt));
  }

  /** Like `take`, for a request that must not take the fast path; its client may wait for `100 Continue`. */
  start(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): Promise<void> {
    return orEnd(res, this.#answerOrForward(this.#begin(req, res, expectsContinue), null, undefined));
  }

  /**
   * Forwards a request right away if its target is certainly not ours: the setup for our own calls would cost 10 % of its time.
   * @returns false for all other requests, which are not handled here
   */
  forwardAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
    const { forwardedByTarget } = this.#options;
    if (forwardedByTarget === null || mayBeOurs(req.url ?? '') || checkFraming(req) !== null) return false;
    const forwarded = forwardedByTarget(new NodeHead(req));
    if (forwarded === null) return false;
    this.#forward(this.#begin(req, res, false), forwarded, knownBody(req));
    return true;
  }

  /** Whether a forwarded body is still arriving on this connection; the request timeout does not apply to it. */
  isUploading(socket: Duplex): boolean {
    return this.#forwarded.isUploading(socket);
  }

  #begin(req: IncomingMessage, res: ServerResponse, awaitsContinue: boolean): Exchange {
    const { connections } = this.#state;
    // This timeout applies during the request; between requests, Node sets its keep-alive timeout.
    req.socket.setTimeout(this.#options.limits.stalledTimeoutMs);
    // Only a bug of ours writes after the end of a response, but without a listener it would crash the process.
    res.on('error', () => res.destroy());
    const connection = connections.of(req.socket);
    connection?.calls.add(res);
    res.on('close', () => {
      connection?.calls.delete(res);
      if (connection !== undefined) connections.end(connection);
      this.#onEnd();
    });
    return { req, res, id: identified(req), awaitsContinue };
  }

  async #answerOrForward(exchange: Exchange, known: Buffer | Refusal | null, receivedAt?: number): Promise<void> {
    const { req, res, id } = exchange;
    try {
      const ambiguous = checkFraming(req);
      if (ambiguous !== null) {
        res.setHeader('Connection', 'close');
        throw malformed(ambiguous);
      }
      const head = new NodeHead(req);
      const reading = {
        known,
        count: (refuse: (why: Refusal) => void) => this.#state.incomingBytes.open(res, refuse),
        decode: this.#decode,
        proceed: () => proceed(exchange),
      };
      const reply =
        this.#options.forwardedByTarget?.(head) ??
        (await this.#options.answer(new Incoming(req, res, id, head, reading, receivedAt)));
      if (!('to' in reply)) return this.#answer(exchange, reply);
      proceed(exchange);
      if (known instanceof Refusal) throw known;
      this.#forward(exchange, reply, known);
    } catch (error) {
      await this.#refuse(exchange, error);
    }
  }

  #answer({ req, res, id, awaitsContinue }: Exchange, reply: Reply): void {
    const { limits, send } = this.#options;
    if (this.isLeaving || !req.complete) res.setHeader('Connection', 'close');
    const held = req.complete || awaitsContinue ? null : linger(req, limits.lingerMs);
    send(res, reply, { id, head: req.method === 'HEAD', held });
    const { body } = reply;
    if (isStream(body)) {
      if (body.isEndless === true) this.#state.pipelined.refuse(req.socket, res);
    } else if (res.writableLength > 0) this.#state.unsent.add(res, body);
  }

  async #refuse(exchange: Exchange, error: unknown): Promise<void> {
    // Node sets `req.complete` of a request without a body only after it has emitted the request.
    await null;
    if (!(error instanceof ClientGone))
      this.#answer(exchange, this.#options.refuse(error, exchange.req.headers.origin));
  }

  #forward(exchange: Exchange, forwarded: ForwardedRequest, known: Buffer | null): void {
    const { req, res } = exchange;
    // Don't use `setHeader`: once a header is set, Node copies the headers of the upstream's answer one by one, which is slow.
    if (this.isLeaving) res.shouldKeepAlive = false;
    const failed = async (error: unknown) => {
      if (forwarded.instead === null || !(error instanceof UpstreamAnswer)) return this.#refuse(exchange, error);
      this.#answer(exchange, await forwarded.instead.reply(error));
    };
    this.#forwarded.request(req, res, forwarded, known, (error) => orEnd(res, failed(error)));
  }
}

/** Sends `100 Continue` to a client that waits for it. */
function proceed(exchange: Exchange): void {
  if (exchange.awaitsContinue) exchange.res.writeContinue();
  exchange.awaitsContinue = false;
}

/** Ends the response if refusing or sending itself has failed: only a bug does that, and the client must not hang. */
const orEnd = (res: ServerResponse, work: Promise<void>): Promise<void> =>
  work.catch(() => {
    if (res.headersSent) res.destroy();
    else res.writeHead(500, { 'Content-Type': 'application/json;charset=utf-8' }).end('"Internal Server Error"');
  });
