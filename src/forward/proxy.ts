/** Forwards all requests that are not ours to the upstream. */
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
  /** The `Host` header for the upstream; null for that of `url`. */
  readonly host: string | null;
  /** Limit of concurrent requests and upgraded connections. */
  readonly maxRequests: number;
}

export interface Upstream {
  /**
   * Forwards a request. Its body is streamed, or replayed where the gateway has read it.
   * @param done called once: with null when the client has its answer or has left, else with the refusal to send, or the answer of the
   *   upstream that the gateway replaces
   */
  pass(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    done: (unsent: Refusal | UpstreamAnswer | null) => void,
  ): void;
  /**
   * Forwards a connection that changes protocol, such as a WebSocket.
   * @param refuse answers in place of the upstream; called at most once, and before any other answer
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

/** May be repeated (RFC 9110 9.2.1), if no body has been consumed. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const uncompressed = { 'accept-encoding': 'identity' };

export function openUpstream(settings: UpstreamSettings): Upstream {
  const url = new URL(settings.url);
  const agent = connections(url, settings);
  const place: UpstreamAddress = {
    agent,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
  };
  const base = url.pathname.replace(/\/$/, '');
  const host = settings.host ?? url.host;
  let running = 0;
  const enter = (): Refusal | null => {
    if (running >= settings.maxRequests) {
      return new Refusal('busy', { message: 'Service Unavailable: the application behind the gateway is busy' });
    }
    running += 1;
    return null;
  };

  return {
    pass(req, res, passed, done) {
      // A response that has closed already would never emit 'close' again.
      if (res.destroyed) return done(null);
      const busy = enter();
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
        // An answer that the gateway reads must not be compressed.
        headers: { ...toApplication(req.headers, passed, host), ...framing, ...(target === null ? {} : uncompressed) },
        ...{ body: passed.body, instead: passed.instead },
      };
      const mayRepeat = repeatable.has(req.method ?? '') && Object.keys(framing).length === 0;
      exchange(place, request, req, res)
        .catch((error) => {
          // The upstream closed the connection just as it was reused.
          if (!mayRepeat || !isLost(error) || res.headersSent || res.destroyed) throw error;
          return exchange(place, request, req, res);
        })
        .then(ended, ended);
    },
    upgrade(req, socket, head, passed, refuse) {
      const busy = enter();
      if (busy !== null) return refuse(busy);
      // Ends when the answer has been sent, or the WebSocket has ended. The client may keep its side open for ever.
      let isUsed = true;
      const ended = () => {
        if (isUsed) running -= 1;
        isUsed = false;
      };
      socket.once('finish', ended).once('close', ended);
      const { upgrade: protocol } = req.headers;
      req.headers = { ...toApplication(req.headers, passed, host), connection: 'Upgrade', upgrade: protocol };
      upgrade(place, pathAt(base, req.url ?? ''), req, socket, head, settings.idleTimeout, refuse);
    },
    close() {
      agent.destroy();
    },
  };
}

const isLost = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** The framing headers of the body; none for a request without one, where Node adds `Content-Length: 0` if its method needs it. */
function framingOf({ headers }: IncomingMessage, read: Uint8Array | null): Record<string, string> {
  if (read !== null) return { 'content-length': String(read.length) };
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const { 'content-length': length = '0' } = headers;
  return length === '0' ? {} : { 'content-length': length };
}
