import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach } from 'vitest';
import type { Headers } from '../../src/accept/caller.ts';
import { clientOf, trusting } from '../../src/accept/client.ts';
import type { Limits } from '../../src/accept/limits.ts';
import type { GatewayServer } from '../../src/accept/server.ts';
import type { ServerOptions } from '../../src/accept/server-options.ts';
import { Upstream, type UpstreamSettings } from '../../src/forward/proxy.ts';
import { serve } from './http-server.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Registers a cleanup to run after the test, in reverse order. */
export function after(end: () => unknown): void {
  ends.push(end);
}

export interface Application {
  readonly url: string;
  readonly server: Server;
  /** The connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts an upstream application for one test. `upgraded` handles WebSocket connections. */
export async function application(
  answer: RequestListener,
  upgraded: (socket: Duplex) => void = (socket) => void socket.destroy(),
): Promise<Application> {
  const server = createHttpServer(answer).on('upgrade', (_, socket) => {
    // The socket must be read (`resume`), or it never notices that the other side has closed.
    upgraded(
      socket
        .on('error', () => undefined)
        .on('end', () => socket.end())
        .resume(),
    );
  });
  const sockets = await listening(server);
  return { url: addressOf(server), server, sockets };
}

/** Starts an upstream that sends raw bytes on every connection, whether they are HTTP or not. */
export async function rawApplication(speak: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => speak(socket.on('error', () => undefined)));
  await listening(server);
  return addressOf(server);
}

async function listening(server: ReturnType<typeof createServer>): Promise<ReadonlySet<Socket>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

function addressOf(server: ReturnType<typeof createServer>): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return `http://127.0.0.1:${address.port}`;
}

export interface Front {
  readonly port: number;
  readonly url: string;
  readonly server: GatewayServer;
  /** Closes the gateway before the end of the test. */
  close(): Promise<void>;
}

/** Starts a gateway that forwards every request, for one test. */
export async function front(
  url: string,
  settings: Partial<UpstreamSettings> = {},
  trustProxy: boolean | readonly string[] = false,
  limits: Partial<Limits> = {},
): Promise<Front> {
  const defaults = { url, host: null, connectTimeout: 1000, idleTimeout: 5000, maxRequests: 1000 };
  const upstream = new Upstream({ ...defaults, ...settings }, () => undefined);
  const trust = trusting(trustProxy);
  const passed = (headers: Headers, remote: string) => ({
    to: 'upstream' as const,
    body: null,
    tokens: [],
    client: clientOf(remote, headers, trust),
    instead: null,
  });
  const more: Partial<ServerOptions> = {
    forward: (req, res, passed, done) => upstream.pass(req, res, passed, done),
    upgrade(req, socket, head, refuse) {
      if (req.headers.upgrade !== 'websocket') return false;
      upstream.upgrade(req, socket, head, passed(req.headers, req.socket.remoteAddress ?? ''), refuse);
      return true;
    },
  };
  const { server, port } = await serve(async ({ headers, remote }) => passed(headers, remote), limits, more);
  const close = async () => {
    await server.close(0);
    upstream.close();
  };
  after(close);
  return { port, url: `http://127.0.0.1:${port}`, server, close };
}
