/** Forwards requests that are not for the gateway to the upstream. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../model/errors.ts';
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
  /** The limit of concurrent requests and upgraded connections. */
  readonly maxRequests: number;
}

export interface Upstream {
  /**
   * Forwards a request. Its body is streamed; a body that the gateway has already read is sent from memory.
   * @param done called once: with null when the client has its answer or has disconnected; else with the refusal to send, or with
   *   the upstream's answer that the gateway is to replace
   */
  pass(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    done: (unsent: Refusal | UpstreamAnswer | null) => void,
  ): void;
  /**
   * Forwards a connection that changes protocol, such as a WebSocket.
   * @param refuse sends a refusal if there is no answer from the upstream; called at most once
   */
  upgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    passed: ForwardedRequest,
    refuse: (why: Refusal) => void,
  ): void;
  close(): void;
}

/** Safe methods (RFC 9110 9.2.1), whose requests can be retried if they have no body. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const uncompressed = { 'accept-encoding': 'identity' };

export function openUpstream(settings: UpstreamSettings): Upstream {
  const url = new URL(settings.url);
  const agent = connections(url, settings);
  const address: UpstreamAddress = {
    agent,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
  };
  const base = url.pathname.replace(/\/$/, '');
  const host = settings.host ?? url.host;
  let running = 0;
  const countRequest = (): Refusal | null => {
    if (running >= settings.maxRequests) {
      return new Refusal('busy', { message: 'Service Unavailable: the application behind the gateway is busy' });
    }
    running += 1;
    return null;
  };

  return {
    pass(req, res, passed, done) {
      // A closed response never emits 'close' again, so we would count its request as running forever.
      if (res.destroyed) return done(null);
      const busy = countRequest();
      if (busy !== null) return done(busy);
      const ended = (unsent: unknown) => {
        running -= 1;
        if (unsent !== null && res.headersSent) res.destroy();
        if (unsent === null || res.destroyed) done(null);
        else done(unsent instanceof UpstreamAnswer ? unsent : refusalOf(unsent));
      };
      const framing = framingOf(req, passed.body);
      const target = passed.instead?.target ?? null;
      const request: UpstreamRequest = {
        path: pathAt(base, target ?? req.url ?? ''),
        // If the gateway reads the answer itself, ask the upstream not to compress it.
        headers: { ...toApplication(req.headers, passed, host), ...framing, ...(target === null ? {} : uncompressed) },
        ...{ body: passed.body, instead: passed.instead },
      };
      const canRetry = safeMethods.has(req.method ?? '') && Object.keys(framing).length === 0;
      exchange(address, request, req, res)
        .catch((error) => {
          // Retry once if the upstream closed an idle connection just as it was reused.
          if (!canRetry || !isLost(error) || res.headersSent || res.destroyed) throw error;
          return exchange(address, request, req, res);
        })
        .then(ended, ended);
    },
    upgrade(req, socket, head, passed, refuse) {
      const busy = countRequest();
      if (busy !== null) return refuse(busy);
      // Count the connection until our side has ended: 'close' may never come, because a client can keep its own side open.
      let isCounted = true;
      const ended = () => {
        if (isCounted) running -= 1;
        isCounted = false;
      };
      socket.once('finish', ended).once('close', ended);
      const { upgrade: protocol } = req.headers;
      req.headers = { ...toApplication(req.headers, passed, host), connection: 'Upgrade', upgrade: protocol };
      upgrade(address, pathAt(base, req.url ?? ''), req, socket, head, settings.idleTimeout, refuse);
    },
    close() {
      agent.destroy();
    },
  };
}

const isLost = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** The headers for the length of the body; none without a body, as Node adds `Content-Length: 0` if the method needs it. */
function framingOf({ headers }: IncomingMessage, read: Uint8Array | null): Record<string, string> {
  if (read !== null) return { 'content-length': String(read.length) };
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const { 'content-length': length = '0' } = headers;
  return length === '0' ? {} : { 'content-length': length };
}
