/** Forwards requests that are not for the gateway to the upstream. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../model/errors.ts';
import type { Emit } from '../model/events.ts';
import { type ForwardedRequest, UpstreamAnswer } from '../model/http.ts';
import { connections, type UpstreamTimeouts } from './connections.ts';
import { refusalOf } from './failures.ts';
import { toApplication } from './headers.ts';
import { pathAt } from './target.ts';
import { exchange, type UpstreamAddress, type UpstreamRequest } from './web.ts';
import { upgrade } from './websocket.ts';

export interface UpstreamSettings extends UpstreamTimeouts {
  readonly url: string;
  /** The `Host` header for the upstream; null for the host of `url`. */
  readonly host: string | null;
  /** The most requests and upgraded connections that may run at once. */
  readonly maxRequests: number;
}

/** Safe methods (RFC 9110 9.2.1): their requests can be retried if they have no body. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const uncompressed = { 'accept-encoding': 'identity' };

export class Upstream {
  readonly #settings: UpstreamSettings;
  readonly #emit: Emit;
  readonly #address: UpstreamAddress;
  /** The path in the upstream's URL, without a trailing slash. */
  readonly #base: string;
  readonly #host: string;
  /** The number of requests and upgraded connections running now. */
  #running = 0;

  constructor(settings: UpstreamSettings, emit: Emit) {
    const url = new URL(settings.url);
    this.#settings = settings;
    this.#emit = emit;
    this.#address = {
      agent: connections(url, settings),
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
    };
    this.#base = url.pathname.replace(/\/$/, '');
    this.#host = settings.host ?? url.host;
  }

  /**
   * Forwards a request. Its body is streamed; a body that the gateway has already read is sent from memory.
   * @param done called once: with null when the client has its answer or has disconnected; else with the refusal to send, or with the
   * upstream's answer that the gateway is to replace
   */
  pass(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    done: (unsent: Refusal | UpstreamAnswer | null) => void,
  ): void {
    const report = this.#reporter(req, passed);
    const end = (unsent: Refusal | UpstreamAnswer | null) => {
      // 499, as in nginx: the client disconnected before there was an answer.
      const status = unsent?.status ?? (res.headersSent ? res.statusCode : 499);
      report(status, unsent instanceof Refusal ? unsent.cause : undefined);
      done(unsent);
    };
    // A closed response never emits 'close' again, so we would count its request as running forever.
    if (res.destroyed) return void end(null);
    const busy = this.#begin();
    if (busy !== null) return void end(busy);
    const settled = (unsent: unknown) => {
      this.#running -= 1;
      if (unsent !== null && res.headersSent) res.destroy();
      if (unsent === null || res.destroyed) end(null);
      else end(unsent instanceof UpstreamAnswer ? unsent : refusalOf(unsent));
    };
    this.#exchange(req, res, passed).then(settled, settled);
  }

  /**
   * Forwards a connection that changes protocol, such as a WebSocket.
   * @param refuse sends a refusal if the upstream does not answer; called at most once
   */
  upgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    passed: ForwardedRequest,
    refuse: (why: Refusal) => void,
  ): void {
    const report = this.#reporter(req, passed);
    const fail = (why: Refusal) => {
      report(why.status, why.cause);
      refuse(why);
    };
    const busy = this.#begin();
    if (busy !== null) return void fail(busy);
    // Count the connection until our side has ended: 'close' may never come, because a client can keep its own side open.
    let isCounted = true;
    const ended = () => {
      if (isCounted) this.#running -= 1;
      isCounted = false;
    };
    socket.once('finish', ended).once('close', ended);
    const { upgrade: protocol } = req.headers;
    req.headers = { ...toApplication(req.headers, passed, this.#host), connection: 'Upgrade', upgrade: protocol };
    const path = pathAt(this.#base, req.url ?? '');
    upgrade(this.#address, path, req, socket, head, this.#settings.idleTimeout, fail);
  }

  close(): void {
    this.#address.agent.destroy();
  }

  /** Counts a request, or refuses it because too many are running. */
  #begin(): Refusal | null {
    if (this.#running >= this.#settings.maxRequests)
      return new Refusal('busy', { message: 'Service Unavailable: the application behind the gateway is busy' });
    this.#running += 1;
    return null;
  }

  /** Returns a function that emits the outcome of a request that begins now. */
  #reporter({ headers }: IncomingMessage, { client }: ForwardedRequest): (status: number, cause: unknown) => void {
    const beganAt = performance.now();
    const id = String(headers['x-request-id']);
    const { address } = client;
    return (status, cause) =>
      this.#emit({ on: 'forwarded', id, address, status, cause, milliseconds: performance.now() - beganAt });
  }

  /** Sends a request, and once more if the upstream closed an idle connection just as we reused it. */
  #exchange(req: IncomingMessage, res: ServerResponse, passed: ForwardedRequest): Promise<UpstreamAnswer | null> {
    const framing = framingOf(req, passed.body);
    const target = passed.instead?.target ?? null;
    const request: UpstreamRequest = {
      path: pathAt(this.#base, target ?? req.url ?? ''),
      headers: {
        ...toApplication(req.headers, passed, this.#host),
        ...framing,
        // If the gateway reads the answer itself, ask the upstream not to compress it.
        ...(target === null ? {} : uncompressed),
      },
      ...{ body: passed.body, instead: passed.instead },
    };
    const canRetry = safeMethods.has(req.method ?? '') && Object.keys(framing).length === 0;
    return exchange(this.#address, request, req, res).catch((error) => {
      if (!canRetry || !isLost(error) || res.headersSent || res.destroyed) throw error;
      return exchange(this.#address, request, req, res);
    });
  }
}

/** Whether the connection was lost, as happens if the upstream closes it just as we reuse it. */
export const isLost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** The headers for the body's length; none without a body, because Node then adds `Content-Length: 0` if the method needs it. */
function framingOf({ headers }: IncomingMessage, read: Uint8Array | null): Record<string, string> {
  if (read !== null) return { 'content-length': String(read.length) };
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const { 'content-length': length = '0' } = headers;
  return length === '0' ? {} : { 'content-length': length };
}
