import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { internal, malformed, Refusal } from '../model/errors.ts';
import { type ForwardedRequest, isStream, type Reply, UpstreamAnswer } from '../model/http.ts';
import { ClientGone } from './body.ts';
import { Connections } from './connections.ts';
import { decoder } from './decode.ts';
import { fastPath, headOf, knownBody } from './fast-path.ts';
import { ForwardedRequests } from './forwarded-requests.ts';
import { checkFraming } from './framing.ts';
import { Incoming } from './incoming.ts';
import { type CountBody, IncomingBytes } from './incoming-bytes.ts';
import { linger } from './linger.ts';
import { Pipelined } from './pipelined.ts';
import { identified } from './request-id.ts';
import { mayBeOurs } from './route.ts';
import type { ServerOptions } from './server-options.ts';
import { takeUnparsed } from './unparsed.ts';
import { Unsent } from './unsent.ts';

export interface GatewayServer {
  /** The number of open connections, and the bytes of request bodies in memory. */
  levels(): { readonly connections: number; readonly incomingBytes: number };
  /** @returns the port; for port 0 the port that the system assigned */
  listen(port: number, host: string): Promise<number>;
  /** From now on, closes each connection after its next answer. */
  leave(): void;
  /** Closes idle connections, lets in-flight calls finish, and destroys all remaining connections after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Makes the HTTP server of the main port. It also catches errors that no handler has turned into an answer. */
export function createGatewayServer(options: ServerOptions): GatewayServer {
  const { limits } = options;
  const connections = new Connections(limits.connections, options.full);
  const forwardedRequests = new ForwardedRequests(options.forward, limits.lingerMs);
  const decode = decoder();
  const unsent = new Unsent(limits.unsentBytes);
  const incomingBytes = new IncomingBytes(limits.incomingBytes);
  const count =
    (res: ServerResponse): CountBody =>
    (refuse) =>
      incomingBytes.open(res, refuse);
  /** Whether to close each connection after its next answer. */
  let isLeaving = false;
  let isDraining = false;

  /** Sets up a request that the fast path does not answer. Returns its id. */
  function enter(req: IncomingMessage, res: ServerResponse): string {
    // This timeout applies during the request; between requests, Node sets its keep-alive timeout.
    req.socket.setTimeout(limits.stalledTimeoutMs);
    // Only a bug of ours writes after the end of a response, but without a listener it would crash the process.
    res.on('error', () => res.destroy());
    const connection = connections.of(req.socket);
    connection?.calls.add(res);
    res.on('close', () => {
      connection?.calls.delete(res);
      if (connection !== undefined) connections.end(connection);
      // This response may have promised keep-alive before the shutdown began; its idle connection would delay the shutdown until
      // the grace period is over.
      if (isDraining) server.closeIdleConnections();
    });
    return identified(req);
  }

  async function take(
    req: IncomingMessage,
    res: ServerResponse,
    expectsContinue: boolean,
    known: Buffer | Refusal | null,
    receivedAt?: number,
  ): Promise<void> {
    const id = enter(req, res);

    let continued = !expectsContinue;
    const head = headOf(req);
    const proceed = () => {
      if (!continued) res.writeContinue();
      continued = true;
    };
    try {
      const ambiguous = checkFraming(req);
      if (ambiguous !== null) {
        res.setHeader('Connection', 'close');
        throw malformed(ambiguous);
      }
      const reading = { known, count: count(res), decode, proceed };
      const called = () => new Incoming(req, res, id, head, reading, receivedAt);
      const reply = options.forwardedByTarget?.(head) ?? (await options.answer(called()));
      if (!('to' in reply)) return answer(req, res, reply, id, continued);
      proceed();
      if (known instanceof Refusal) throw known;
      forward(req, res, reply, known, id);
    } catch (error) {
      await refuse(req, res, error, id, continued);
    }
  }

  function answer(req: IncomingMessage, res: ServerResponse, reply: Reply, id: string, continued: boolean): void {
    if (isLeaving || !req.complete) res.setHeader('Connection', 'close');
    const lingering = req.complete || !continued ? null : linger(req, limits.lingerMs);
    options.send(res, reply, { id, head: req.method === 'HEAD', held: lingering });
    if (!isStream(reply.body)) unsent.add(res, reply.body);
    else if (reply.body.isEndless === true) pipelined.refuse(req.socket, res);
  }

  async function refuse(
    req: IncomingMessage,
    res: ServerResponse,
    error: unknown,
    id: string,
    continued: boolean,
  ): Promise<void> {
    // Node sets `req.complete` of a request without a body only after it has emitted the request.
    await null;
    if (!(error instanceof ClientGone)) answer(req, res, options.refuse(error, req.headers.origin), id, continued);
  }

  function forward(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    known: Buffer | null,
    id: string,
  ): void {
    // Not by `setHeader`: once a header is set, Node copies the headers of the upstream's answer one by one, which is slow.
    if (isLeaving) res.shouldKeepAlive = false;
    const failed = async (error: unknown) => {
      if (passed.instead === null || !(error instanceof UpstreamAnswer)) return refuse(req, res, error, id, true);
      answer(req, res, await passed.instead.reply(error), id, true);
    };
    forwardedRequests.request(req, res, passed, known, (error) => orEnd(res, failed(error)));
  }

  /**
   * Forwards a request right away if its target is certainly not ours: the setup for our own calls would cost 10 % of its time.
   * @returns false for all other requests, which are not handled here
   */
  function forwardAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
    if (mayBeOurs(req.url ?? '') || checkFraming(req) !== null) return false;
    const passed = options.forwardedByTarget?.(headOf(req)) ?? null;
    if (passed === null) return false;
    forward(req, res, passed, knownBody(req), enter(req, res));
    return true;
  }

  /** Ends the response if refusing or sending itself has failed: only a bug does that, and the client must not hang. */
  const orEnd = (res: ServerResponse, work: Promise<void>) =>
    work.catch(() => {
      if (res.headersSent) res.destroy();
      else res.writeHead(500, { 'Content-Type': 'application/json;charset=utf-8' }).end('"Internal Server Error"');
    });
  const takeWhole = (req: IncomingMessage, res: ServerResponse, known: Buffer | Refusal | null, receivedAt?: number) =>
    orEnd(res, take(req, res, false, known, receivedAt));
  const start = (req: IncomingMessage, res: ServerResponse, expectsContinue: boolean) =>
    orEnd(res, take(req, res, expectsContinue, null));
  const pipelined = new Pipelined();
  const inTurn =
    (handle: (req: IncomingMessage, res: ServerResponse) => void) => (req: IncomingMessage, res: ServerResponse) => {
      if (!connections.begin(res)) return;
      // Node gives a response its socket only when the responses before it have ended.
      if (res.socket === null) pipelined.add(req.socket, res, () => handle(req, res));
      else handle(req, res);
    };

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
    // We check the `Host` header ourselves, because Node's refusal has no body.
    requireHostHeader: false,
  });
  server.on('connection', (socket: Socket) => connections.open(socket));
  const answerFast = fastPath(
    options.requestCache,
    takeWhole,
    count,
    () => isLeaving,
    (res, body) => {
      res.socket?.setTimeout(limits.stalledTimeoutMs);
      if (body !== null) unsent.add(res, body);
    },
  );
  const handle = (req: IncomingMessage, res: ServerResponse) => {
    // Take the full path, which can set `Connection: close`; the ready-made heads of the fast path lack it.
    if (isLeaving) {
      start(req, res, false);
      return;
    }
    try {
      if (!forwardAtOnce(req, res)) answerFast(req, res);
    } catch (error) {
      // Only a bug of ours throws here; uncaught, it would end the process.
      takeWhole(req, res, internal(error));
    }
  };
  server.on('request', inTurn(handle));
  server.on('timeout', (socket: Socket) => connections.stalled(socket));
  // By default Node silently drops headers after the thousandth. `maxHeaderSize` limits them anyway.
  server.maxHeadersCount = 0;
  server.on(
    'checkContinue',
    inTurn((req, res) => start(req, res, true)),
  );
  // Unknown expectations are ignored: Node would answer them with a 417 without a body.
  server.on(
    'checkExpectation',
    inTurn((req, res) => start(req, res, false)),
  );
  takeUnparsed(server, {
    connections,
    limits,
    refuse: options.refuse,
    unreadable: options.unreadable,
    isUploading: (socket) => forwardedRequests.isUploading(socket),
    upgrade: options.upgrade,
  });

  return {
    levels: () => ({ connections: connections.size, incomingBytes: incomingBytes.bytes }),
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      const address = server.address();
      return address !== null && typeof address === 'object' ? address.port : port;
    },
    leave() {
      isLeaving = true;
    },
    close(graceMs) {
      isLeaving = true;
      isDraining = true;
      return connections.drain(server, graceMs);
    },
  };
}
