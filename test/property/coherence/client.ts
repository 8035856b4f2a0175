import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { token } from '../../support/gateway.ts';

export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds after which the client disconnects. */
  readonly leaves?: number;
}

export interface Heard {
  readonly status: number;
  readonly verdict: string;
  readonly etag: string;
  /** The decompressed body. */
  readonly body: string;
}

/** A client with many keep-alive connections, so that it reaches all processes that share a port. */
export function openClient(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    /** @returns null if the connection was lost or abandoned */
    ask(url: string, { method, target, body, headers = {}, leaves }: Asked): Promise<Heard | null> {
      return new Promise((resolve) => {
        const { hostname, port } = new URL(url);
        const length = method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {};
        const type = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
        const sent = request(
          {
            ...{ agent, hostname, port, method, path: target },
            headers: { Authorization: token, ...type, ...length, ...headers },
          },
          (answer) => {
            const chunks: Buffer[] = [];
            answer.on('data', (chunk: Buffer) => chunks.push(chunk));
            answer.on('error', () => resolve(null));
            answer.on('end', () => {
              const bytes = Buffer.concat(chunks);
              const isZipped = answer.headers['content-encoding'] === 'gzip';
              resolve({
                status: answer.statusCode ?? 0,
                verdict: String(answer.headers['x-cache'] ?? ''),
                etag: answer.headers.etag ?? '',
                body: (isZipped ? gunzipSync(bytes) : bytes).toString(),
              });
            });
          },
        );
        sent.on('error', () => resolve(null));
        if (leaves !== undefined) setTimeout(() => sent.destroy(), leaves).unref();
        sent.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
