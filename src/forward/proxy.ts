/** Everything that is not ours goes to the web application behind. The only file that knows http-proxy. */
import { Agent, type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { Passed } from '../call.ts';

export interface Upstream {
  /** Passes a request on; its body is streamed, or replayed where it was read to see whose call it is. */
  pass(req: IncomingMessage, res: ServerResponse, passed: Passed): void;
  /** Passes on a connection that becomes something else, such as a WebSocket. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, passed: Passed): void;
  close(): void;
}

/** Headers that tell of one connection only (RFC 9110 7.6.1), and those a stranger must not set. */
const dropped = ['keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'forwarded'];
const tokens = ['authorization', 'x-ckan-api-key'];

/** Connections to the application are kept; what a client says of its own address is not believed. */
export function openUpstream(url: string): Upstream {
  const agent = new Agent({ keepAlive: true, timeout: 60_000 });
  const proxy = createProxyServer({ target: url, agent, changeOrigin: true, proxyTimeout: 120_000 });
  proxy.on('error', (_, req, res) => {
    if (!(res instanceof ServerResponse)) return void res?.destroy();
    req?.unpipe();
    if (res.headersSent) return void res.destroy();
    res.writeHead(502, { 'Content-Type': 'application/json;charset=utf-8' });
    res.end(JSON.stringify('Bad Gateway: the application behind the gateway cannot be reached'));
  });
  return {
    pass(req, res, passed) {
      prepare(req, passed);
      const buffer = passed.body === null ? {} : { buffer: Readable.from([passed.body]) };
      proxy.web(req, res, buffer);
    },
    upgrade(req, socket, head, passed) {
      prepare(req, passed);
      // A client may reset before the application has answered, and nobody else listens yet.
      socket.on('error', () => undefined);
      proxy.ws(req, Object.assign(socket), {}, head);
    },
    close() {
      agent.destroy();
    },
  };
}

/** The headers the application is to see. Its own tokens pass; one of ours is nobody else's business. */
function prepare(req: IncomingMessage, { isOurToken }: Passed): void {
  const { headers } = req;
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...dropped, ...named.filter((name) => !['', 'upgrade', 'keep-alive', 'close'].includes(name))])
    delete headers[name];
  if (isOurToken) for (const name of tokens) delete headers[name];
  headers['x-forwarded-for'] = req.socket.remoteAddress ?? '';
  headers['x-forwarded-host'] = headers.host ?? '';
  headers['x-forwarded-proto'] = 'http';
}
