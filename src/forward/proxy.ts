/** Everything that is not ours goes to the web application behind. The only file that knows http-proxy. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { Passed } from '../call.ts';
import { Refusal } from '../errors.ts';
import { connections, type Patience } from './connections.ts';
import { blamed, unsendable } from './failures.ts';
import { toApplication, toClient } from './headers.ts';
import { pathAt } from './target.ts';

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

/** May be asked twice (RFC 9110 9.2.1), and has no body that would be gone the second time. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function openUpstream(settings: UpstreamSettings): Upstream {
  const url = new URL(settings.url);
  const agent = connections(url, settings);
  const place = { protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port };
  const base = url.pathname.replace(/\/$/, '');
  const host = settings.host ?? url.host;
  let running = 0;

  // The library joins and normalizes paths: given the whole path as the target's, it has nothing to join.
  const options = { agent, ignorePath: true };
  const target = (req: IncomingMessage) => ({ target: { ...place, pathname: pathAt(base, req.url ?? '') } });
  const web = createProxyServer({ ...options, selfHandleResponse: true });
  web.on('proxyRes', respond);
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
      const { 'transfer-encoding': coding, 'content-length': length } = req.headers;
      req.headers = toApplication(req.headers, passed, host);
      const { body } = passed;
      if (body !== null) req.headers['content-length'] = String(body.length);
      else if (coding !== undefined) req.headers['transfer-encoding'] = coding;
      const send = () =>
        web.web(req, res, body === null ? target(req) : { ...target(req), buffer: Readable.from([body]) });
      const mayRepeat = body === null && coding === undefined && (length ?? '0') === '0';
      try {
        await send().catch((error: unknown) => {
          const isLost = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
          if (!isLost || !mayRepeat || !repeatable.has(req.method ?? '') || res.headersSent || res.destroyed)
            throw error;
          // The application closed the connection just as it was used again.
          return send();
        });
      } catch (error) {
        req.unpipe();
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
      const { upgrade } = req.headers;
      req.headers = { ...toApplication(req.headers, passed, host), connection: 'Upgrade', upgrade };
      // Its own for each: it tells of an error before it ends the connection, and does not say whose.
      const one = createProxyServer({ ...options, ...target(req) });
      let isUpgraded = false;
      one.on('error', (error) => {
        if (!isUpgraded && socket.writable) refuse(blamed(error));
      });
      if (!(socket instanceof Socket)) return void socket.destroy();
      one.on('proxyReqWs', (asking) => {
        socket.once('close', () => asking.destroy());
        asking.once('upgrade', (_, other) => {
          isUpgraded = true;
          // A WebSocket is never half closed: one that has left would be waited for by the other for ever.
          for (const [one, another] of [
            [socket, other],
            [other, socket],
          ] as const)
            one.once('end', () => another.destroySoon()).once('close', () => another.destroySoon());
        });
      });
      one.ws(req, socket, {}, head);
      // Nobody reads it before there is an answer, and of a client that resets one only hears by reading.
      socket.read(0);
    },
    close() {
      agent.destroy();
    },
  };
}

function respond(answer: IncomingMessage, req: IncomingMessage, res: ServerResponse): void {
  const own = new Set(res.getHeaderNames());
  try {
    for (const [name, value] of toClient(answer.rawHeaders, answer.headers.connection))
      if (!own.has(name.toLowerCase())) res.appendHeader(name, value);
    res.writeHead(answer.statusCode ?? 0, answer.statusMessage);
  } catch (error) {
    // Node reads heads that it would not write, such as a control character in the status line.
    answer.destroy();
    for (const name of res.getHeaderNames()) if (!own.has(name)) res.removeHeader(name);
    req.emit('error', unsendable(error));
    return;
  }
  answer.pipe(res);
  // A head whose body is long in coming is news as well: an event stream may say nothing yet.
  setImmediate(() => {
    if (!answer.readableDidRead && !res.destroyed) res.flushHeaders();
  });
}
