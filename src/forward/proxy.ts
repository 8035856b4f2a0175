/** Everything that is not ours goes to the web application behind. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Passed } from '../call.ts';
import { Refusal } from '../errors.ts';
import { connections, type Patience } from './connections.ts';
import { type Asked, type Body, exchange, type Place } from './exchange.ts';
import { blamed } from './failures.ts';
import { takesTrailers, toApplication } from './headers.ts';
import { pathAt } from './target.ts';
import { upgrade } from './websocket.ts';

export interface UpstreamSettings extends Patience {
  readonly url: string;
  /** What the application gets to see as `Host`; null for that of `url`. */
  readonly host: string | null;
  /** Requests and upgraded connections at the same time at most. */
  readonly maxRequests: number;
}

export interface Upstream {
  /**
   * Passes a request on; its body is streamed, or replayed where it was read to see whose call it is.
   * @returns resolves when the client has its answer or has left
   * @throws Refusal where the client has not been answered anything yet
   */
  pass(req: IncomingMessage, res: ServerResponse, passed: Passed): Promise<void>;
  /**
   * Passes on a connection that becomes something else, such as a WebSocket.
   * @param refuse answers in the application's place; called at most once, and before anything else is answered
   */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, passed: Passed, refuse: (why: Refusal) => void): void;
  close(): void;
}

/** May be asked twice (RFC 9110 9.2.1), where no body would be gone the second time. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function openUpstream(settings: UpstreamSettings): Upstream {
  const url = new URL(settings.url);
  const agent = connections(url, settings);
  const place: Place = {
    agent,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
  };
  const base = url.pathname.replace(/\/$/, '');
  const host = settings.host ?? url.host;
  let running = 0;
  const enter = () => {
    if (running >= settings.maxRequests) {
      throw new Refusal('busy', { message: 'Service Unavailable: the application behind the gateway is busy' });
    }
    running += 1;
  };

  return {
    async pass(req, res, passed) {
      // A response that has closed already would never close again.
      if (res.destroyed) return;
      enter();
      const asked: Asked = {
        path: pathAt(base, req.url ?? ''),
        headers: toApplication(req.headers, passed, host),
        body: bodyOf(req, passed.body),
        takesTrailers: takesTrailers(req.headers),
      };
      try {
        try {
          await exchange(place, req, res, asked);
        } catch (error) {
          const mayRepeat = isLost(error) && asked.body.is === 'none' && repeatable.has(req.method ?? '');
          if (!mayRepeat || res.headersSent || res.destroyed) throw error;
          // The application closed the connection just as it was used again.
          await exchange(place, req, res, asked);
        }
      } catch (error) {
        if (res.headersSent) res.destroy();
        if (!res.destroyed) throw blamed(error);
      } finally {
        running -= 1;
      }
    },
    upgrade(req, socket, head, passed, refuse) {
      try {
        enter();
      } catch (error) {
        if (error instanceof Refusal) refuse(error);
        return;
      }
      socket.once('close', () => {
        running -= 1;
      });
      const { upgrade: protocol } = req.headers;
      req.headers = { ...paired(toApplication(req.headers, passed, host)), connection: 'Upgrade', upgrade: protocol };
      upgrade(place, pathAt(base, req.url ?? ''), req, socket, head, refuse);
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
