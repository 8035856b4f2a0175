import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { urlOf } from '../values/http-url.ts';
import { contentType } from './sum.ts';

/** The state of one database. */
export interface DatabaseState {
  readonly up: boolean;
  /** Null where it is up. */
  readonly why: string | null;
  /** Resources that cannot be served although it is up: their tables do not match the configuration. */
  readonly absent: readonly string[];
}

/** The response of `/ready`. */
export interface Health {
  readonly ready: boolean;
  /** The gateway is stopping and accepts no new connections. */
  readonly draining: boolean;
  readonly workers: { readonly serving: number; readonly configured: number };
  readonly databases: Readonly<Record<string, DatabaseState>>;
}

export interface AdminSources {
  /** Resolves if the process is alive. */
  live(): Promise<void>;
  health(): Promise<Health>;
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
}

export interface Admin {
  /** Null where none is configured. */
  readonly address: string | null;
  close(): void;
}

/** Opens the port for load balancers, orchestrators and Prometheus. It serves none of the main port's routes. */
export async function openAdmin(
  place: { readonly host: string; readonly port: number } | null,
  watched: AdminSources,
): Promise<Admin> {
  if (place === null) return { address: null, close: () => undefined };
  const json = { 'Content-Type': 'application/json;charset=utf-8', 'Cache-Control': 'no-store' };
  const answer = async (path: string, res: ServerResponse): Promise<unknown> => {
    switch (path) {
      case '/live':
        await watched.live();
        return res.writeHead(200, json).end('{"live":true}\n');
      case '/ready': {
        const health = await watched.health();
        return res.writeHead(health.ready ? 200 : 503, json).end(`${JSON.stringify(health)}\n`);
      }
      case '/metrics':
        return res.writeHead(200, { 'Content-Type': contentType }).end(await watched.metrics());
      default:
        return res.writeHead(404, json).end('"Not found: there is /live, /ready and /metrics"\n');
    }
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (req, res) => {
    const { method = '', url = '' } = req;
    if (method !== 'GET' && method !== 'HEAD') {
      res.writeHead(405, { ...json, Allow: 'GET, HEAD' }).end('"Method not allowed"\n');
      return;
    }
    answer(url.split('?')[0] ?? '', res).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'it failed';
      if (!res.headersSent) res.writeHead(500, json);
      res.end(`${JSON.stringify(reason)}\n`);
    });
  });
  // Each prober has its own schedule; more connections at once are no legitimate use.
  server.maxConnections = 100;
  server.listen(place.port, place.host);
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : place.port;
  return {
    address: urlOf({ host: place.host, port }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
