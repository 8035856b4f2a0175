import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { urlOf } from '../values/http-url.ts';
import { contentType } from './sum.ts';

// An ES import of `node:http` reads every export, and `WebSocket` loads undici: 28 ms and 14 MB on Node 24.
const { createServer } = process.getBuiltinModule('node:http');

/** The state of one database. */
export interface DatabaseState {
  readonly up: boolean;
  /** Why the database is not up; null if it is. */
  readonly why: string | null;
  /** Resources that cannot be served although the database is up, because their tables do not match the configuration. */
  readonly absent: readonly string[];
}

/** The response of `/ready`. */
export interface Health {
  readonly ready: boolean;
  /** Whether the gateway is shutting down. */
  readonly draining: boolean;
  readonly workers: { readonly serving: number; readonly configured: number };
  readonly databases: Readonly<Record<string, DatabaseState>>;
}

export interface AdminSources {
  /** Resolves if the process is working, and rejects if not. */
  live(): Promise<void>;
  health(): Promise<Health>;
  /** The metrics in Prometheus's text format. */
  metrics(): Promise<string>;
}

export interface Admin {
  /** The admin port's URL; null if none is configured. */
  readonly address: string | null;
  close(): void;
}

/** Opens the admin port, for load balancers, orchestrators and Prometheus. It serves none of the main port's routes. */
export async function openAdmin(
  setting: { readonly host: string; readonly port: number } | null,
  sources: AdminSources,
): Promise<Admin> {
  if (setting === null) return { address: null, close: () => undefined };
  const json = { 'Content-Type': 'application/json;charset=utf-8', 'Cache-Control': 'no-store' };
  const answer = async (path: string, res: ServerResponse): Promise<unknown> => {
    switch (path) {
      case '/live':
        await sources.live();
        return res.writeHead(200, json).end('{"live":true}\n');
      case '/ready': {
        const health = await sources.health();
        return res.writeHead(health.ready ? 200 : 503, json).end(`${JSON.stringify(health)}\n`);
      }
      case '/metrics':
        return res.writeHead(200, { 'Content-Type': contentType }).end(await sources.metrics());
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
  // Health checks and scrapers need only a few connections; more than this is a bug or an attack.
  server.maxConnections = 100;
  server.listen(setting.port, setting.host);
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : setting.port;
  return {
    address: urlOf({ host: setting.host, port }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
