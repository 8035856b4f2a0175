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
  /** The number of open connections, and of held bytes of request bodies. */
  levels(): { readonly connections: number; readonly incomingBytes: number };
  /** @returns the port, for a port of 0 the one that was assigned */
  listen(port: number, host: string): Promise<number>;
  /** From now on each answer ends its connection. */
  leave(): void;
  /** Lets running calls finish, closes idle connections, and after `graceMs` destroys the rest. */
  close(graceMs: number): Promise<void>;
}

/** Makes the main port. An error that a handler did not turn into an answer is caught here. */
export function createGatewayServer(options: ServerOptions): GatewayServer {
  const { limits } = options;
  const connections = new Connections(limits.connections, options.full);
  const forwardedRequests = new ForwardedRequests(options.forward, limits.lingerMs);
  const decode = decoder();
  const unsent = new Unsent(limits.unsentBytes);
  const held = new IncomingBytes(limits.incomingBytes);
  const count =
    (res: ServerResponse): CountBody =>
    (refuse) =>
      held.open(res, refuse);
  /** No answer promises to keep its connection. */
  let leaving = false;
  let draining = false;

  /** Sets up any request that is not answered by the fast path. Returns its id. */
  function enter(req: IncomingMessage, res: ServerResponse): string {
    // Between requests, Node's own timeout for idle connections replaces this one.
    req.socket.setTimeout(limits.stalledTimeoutMs);
    // Writing after the end is a bug of ours, but without a listener it would end the process.
    res.on('error', () => res.destroy());
    const connection = connections.of(req.socket);
    connection?.calls.add(res);
    res.on('close', () => {
      connection?.calls.delete(res);
      if (connection !== undefined) connections.end(connection);
      // The response's head promised keep-alive; the idle connection would now delay the shutdown until the grace period is
      // over.
      if (draining) server.closeIdleConnections();
    });
    return identified(req);
  }

  async function take(
    req: IncomingMessage,
    res: ServerResponse,
    expectsContinue: boolean,
    known: Buffer | Refusal | null,
    asked?: number,
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
      const called = () => new Incoming(req, res, id, head, reading, asked);
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
    if (leaving || !req.complete) res.setHeader('Connection', 'close');
    const held = req.complete || !continued ? null : linger(req, limits.lingerMs);
    options.send(res, reply, { id, head: req.method === 'HEAD', held });
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
    // Node emits a request before it has noticed that there is no body.
    await null;
    if (!(error instanceof ClientGone)) answer(req, res, options.refuse(error, req.headers.origin), id, continued);
  }

  /** Forwards a request upstream. */
  function forward(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    known: Buffer | null,
    id: string,
  ): void {
    // `shouldKeepAlive` instead of a header: with one set, Node would copy the headers of the answer one by one.
    if (leaving) res.shouldKeepAlive = false;
    const failed = async (error: unknown) => {
      if (passed.instead === null || !(error instanceof UpstreamAnswer)) return refuse(req, res, error, id, true);
      answer(req, res, await passed.instead.reply(error), id, true);
    };
    forwardedRequests.request(req, res, passed, known, (error) => orEnd(res, failed(error)));
  }

  /**
   * Forwards at once a request whose target is certainly not ours. The setup of a call would take a tenth of it.
   * @returns false for all others
   */
  function forwardAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
    if (mayBeOurs(req.url ?? '') || checkFraming(req) !== null) return false;
    const passed = options.forwardedByTarget?.(headOf(req)) ?? null;
    if (passed === null) return false;
    forward(req, res, passed, knownBody(req), enter(req, res));
    return true;
  }

  /** Only a bug in refusing or sending gets here; the client still gets an end. */
  const orEnd = (res: ServerResponse, work: Promise<void>) =>
    work.catch(() => {
      if (res.headersSent) res.destroy();
      else res.writeHead(500, { 'Content-Type': 'application/json;charset=utf-8' }).end('"Internal Server Error"');
    });
  const takeWhole = (req: IncomingMessage, res: ServerResponse, known: Buffer | Refusal | null, asked?: number) =>
    orEnd(res, take(req, res, false, known, asked));
  const start = (req: IncomingMessage, res: ServerResponse, expectsContinue: boolean) =>
    orEnd(res, take(req, res, expectsContinue, null));
  const pipelined = new Pipelined();
  const inTurn =
    (handle: (req: IncomingMessage, res: ServerResponse) => void) => (req: IncomingMessage, res: ServerResponse) => {
      if (!connections.begin(res)) return;
      // Node gives a response its socket when those before it have ended.
      if (res.socket === null) pipelined.add(req.socket, res, () => handle(req, res));
      else handle(req, res);
    };

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
    // Node's own refusal has no body.
    requireHostHeader: false,
  });
  server.on('connection', (socket: Socket) => connections.open(socket));
  const isLeaving = () => leaving;
  const quick = fastPath(options.requestCache, takeWhole, count, isLeaving, (res, body) => {
    res.socket?.setTimeout(limits.stalledTimeoutMs);
    if (body !== null) unsent.add(res, body);
  });
  const handle = (req: IncomingMessage, res: ServerResponse) => {
    // A client must find `Connection: close` in the head of its answer.
    if (leaving) {
      start(req, res, false);
      return;
    }
    try {
      if (!forwardAtOnce(req, res)) quick(req, res);
    } catch (error) {
      // A bug of ours, which would end the process here.
      takeWhole(req, res, internal(error));
    }
  };
  server.on('request', inTurn(handle));
  server.on('timeout', (socket: Socket) => connections.stalled(socket));
  // Node drops the headers from the thousandth on; `maxHeaderSize` limits them already.
  server.maxHeadersCount = 0;
  server.on(
    'checkContinue',
    inTurn((req, res) => start(req, res, true)),
  );
  // No other expectation is supported; Node's own refusal has no body.
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
    levels: () => ({ connections: connections.size, incomingBytes: held.bytes }),
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      const address = server.address();
      return address !== null && typeof address === 'object' ? address.port : port;
    },
    leave() {
      leaving = true;
    },
    close(graceMs) {
      leaving = true;
      draining = true;
      return connections.drain(server, graceMs);
    },
  };
}
