/** The HTTP server of the main port. A request takes the fast path (`fast-path.ts`) if it can, else the full path (`full-path.ts`). */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { internal } from '../model/errors.ts';
import { Connections } from './connections.ts';
import { FastPath } from './fast-path.ts';
import { FullPath } from './full-path.ts';
import { IncomingBytes } from './incoming-bytes.ts';
import type { Limits } from './limits.ts';
import { Pipelined } from './pipelined.ts';
import type { ServerOptions } from './server-options.ts';
import { takeUnparsed } from './unparsed.ts';
import { Unsent } from './unsent.ts';

// An ES import of `node:http` reads every export, and `WebSocket` loads undici: 28 ms and 14 MB on Node 24.
const { createServer } = process.getBuiltinModule('node:http');

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** The server. An error that no handler has caught is answered with a 500. */
export class GatewayServer {
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #incomingBytes: IncomingBytes;
  readonly #pipelined = new Pipelined();
  readonly #fullPath: FullPath;
  readonly #fastPath: FastPath;
  #isDraining = false;

  constructor(options: ServerOptions) {
    const { limits, requestCache } = options;
    this.#connections = new Connections(limits.connections, options.full);
    this.#incomingBytes = new IncomingBytes(limits.incomingBytes);
    const state = {
      connections: this.#connections,
      incomingBytes: this.#incomingBytes,
      pipelined: this.#pipelined,
      unsent: new Unsent(limits.unsentBytes),
    };
    this.#fullPath = new FullPath(options, state, () => this.#ended());
    this.#fastPath = new FastPath(requestCache, this.#fullPath, state, limits.stalledTimeoutMs);
    this.#server = createServer(settingsOf(limits));
    // By default Node silently drops headers after the thousandth. `maxHeaderSize` limits them anyway.
    this.#server.maxHeadersCount = 0;
    this.#listenToClients();
    takeUnparsed(this.#server, {
      connections: this.#connections,
      limits,
      refuse: options.refuse,
      unreadable: options.unreadable,
      isUploading: (socket) => this.#fullPath.isUploading(socket),
      upgrade: options.upgrade,
    });
  }

  /** The number of open connections, and the bytes of request bodies in memory. */
  levels(): { readonly connections: number; readonly incomingBytes: number } {
    return { connections: this.#connections.size, incomingBytes: this.#incomingBytes.bytes };
  }

  /** @returns the port; for port 0 the port that the system assigned */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return address !== null && typeof address === 'object' ? address.port : port;
  }

  /** From now on, closes each connection after its next answer. */
  leave(): void {
    this.#fullPath.isLeaving = true;
  }

  /** Closes idle connections, lets in-flight calls finish, and destroys all remaining connections after `graceMs`. */
  close(graceMs: number): Promise<void> {
    this.leave();
    this.#isDraining = true;
    return this.#connections.drain(this.#server, graceMs);
  }

  #listenToClients(): void {
    const server = this.#server;
    server.on('connection', (socket) => this.#connections.open(socket));
    server.on('timeout', (socket) => this.#connections.stalled(socket));
    server.on('request', (req, res) => this.#inTurn(req, res, this.#handle));
    const start = (expectsContinue: boolean) => (req: IncomingMessage, res: ServerResponse) =>
      this.#inTurn(req, res, () => void this.#fullPath.start(req, res, expectsContinue));
    server.on('checkContinue', start(true));
    // Unknown expectations are ignored: Node would answer them with a 417 without a body.
    server.on('checkExpectation', start(false));
  }

  #inTurn(req: IncomingMessage, res: ServerResponse, handle: Handler): void {
    if (!this.#connections.begin(res)) return;
    // Node gives a response its socket only when the responses before it have ended.
    if (res.socket === null) this.#pipelined.add(req.socket, res, () => handle(req, res));
    else handle(req, res);
  }

  readonly #handle: Handler = (req, res) => {
    // Take the full path, which can set `Connection: close`; the ready-made heads of the fast path lack it.
    if (this.#fullPath.isLeaving) return void this.#fullPath.start(req, res, false);
    try {
      if (!this.#fullPath.forwardAtOnce(req, res)) this.#fastPath.answer(req, res);
    } catch (error) {
      // Only a bug of ours throws here; uncaught, it would end the process.
      void this.#fullPath.take(req, res, internal(error));
    }
  };

  #ended(): void {
    // The response may have promised keep-alive before the shutdown began; its idle connection would delay the shutdown until the
    // grace period is over.
    if (this.#isDraining) this.#server.closeIdleConnections();
  }
}

const settingsOf = (limits: Limits) => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: limits.headersTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
  // We check the `Host` header ourselves, because Node's refusal has no body.
  requireHostHeader: false,
});
