/** Forwards all requests that are not ours to the upstream. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../model/errors.ts';
import type { ForwardedRequest } from '../model/http.ts';
import { connections, type UpstreamTimeouts } from './connections.ts';
import { type Body, exchange, framing, type UpstreamAddress, type UpstreamRequest } from './exchange.ts';
import { refusalOf } from './failures.ts';
import { takesTrailers, toApplication } from './headers.ts';
import { pathAt } from './target.ts';
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
   * @param done called once: with null when the client has its answer or has left, else with the refusal to send
   */
  pass(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    done: (refusal: Refusal | null) => void,
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
      const ended = (error: unknown) => {
        running -= 1;
        if (error !== null && res.headersSent) res.destroy();
        done(error === null || res.destroyed ? null : refusalOf(error));
      };
      const body = bodyOf(req, passed.body);
      const { method = '' } = req;
      const asked: UpstreamRequest = {
        path: pathAt(base, req.url ?? ''),
        headers: [...toApplication(req.headers, passed, host), ...framing(body, method)],
        body,
        takesTrailers: takesTrailers(req.headers),
      };
      const mayRepeat = body.is === 'none' && repeatable.has(method);
      exchange(place, req, res, asked, (error) => {
        // The upstream closed the connection just as it was reused.
        if (mayRepeat && isLost(error) && !res.headersSent && !res.destroyed) exchange(place, req, res, asked, ended);
        else ended(error);
      });
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
      req.headers = { ...paired(toApplication(req.headers, passed, host)), connection: 'Upgrade', upgrade: protocol };
      upgrade(place, pathAt(base, req.url ?? ''), req, socket, head, settings.idleTimeout, refuse);
    },
    close() {
      agent.destroy();
    },
  };
}

const isLost = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

function bodyOf({ headers }: IncomingMessage, read: Uint8Array | null): Body {
  if (read !== null) return { is: 'read', bytes: read };
  if (headers['transfer-encoding'] !== undefined) return { is: 'streamed', length: null };
  const { 'content-length': length = '0' } = headers;
  return length === '0' ? { is: 'none' } : { is: 'streamed', length };
}

function paired(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1] ?? '']] : [])));
}
