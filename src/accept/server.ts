import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isStream, type Passed, type Reply } from '../call.ts';
import { malformed } from '../errors.ts';
import { ClientGone } from './body.ts';
import { decoder } from './decode.ts';
import { checkFraming } from './framing.ts';
import { HandOn, type Pass } from './hand-on.ts';
import { type IncomingRequest, incoming } from './incoming.ts';
import type { Limits } from './limits.ts';
import { answerRaw, linger, refuseRaw } from './linger.ts';
import { headOf, knownBody, quickRoad, type Recalls, type RequestHead } from './quick.ts';
import { requestId } from './request-id.ts';
import { mayBeOurs } from './route.ts';
import { Unsent } from './unsent.ts';
import { withoutUpgrade } from './upgrade.ts';

export interface ServerOptions {
  readonly recall: Recalls;
  /** Tells what by its address alone is not a call of ours; null where nothing is passed on. */
  readonly elsewhere: ((head: RequestHead) => Passed | null) | null;
  answer(request: IncomingRequest): Promise<Reply | Passed>;
  /** Makes a reply of whatever was thrown. */
  refuse(error: unknown): Reply & { readonly body: string };
  /** Headers for the answer to what cannot even be read as a request. */
  unreadable(): Readonly<Record<string, string>>;
  /** Sends a reply; the connection is not ended before `held` resolves. */
  send(
    res: ServerResponse,
    reply: Reply,
    how: { readonly id: string; readonly head: boolean; readonly held: Promise<void> | null },
  ): void;
  readonly pass: Pass;
  /**
   * Hands on a connection that asks to become another protocol.
   * @param refuse answers what went wrong, while the connection still speaks HTTP
   * @returns false for what is to be answered as if it had not asked, as all is where this is null
   */
  readonly upgrade:
    | ((req: IncomingMessage, socket: Duplex, head: Buffer, refuse: (error: unknown) => void) => boolean)
    | null;
  readonly limits: Limits;
}

export interface GatewayServer {
  /** @returns the port, for a port of 0 the one that was found */
  listen(port: number, host: string): Promise<number>;
  /** Lets running calls finish, closes what idles, and after `graceMs` destroys the rest. */
  close(graceMs: number): Promise<void>;
}

/** The application behind is told the same id. */
function identified(req: IncomingMessage): string {
  const id = requestId(req.headers['x-request-id']);
  req.headers['x-request-id'] = id;
  return id;
}

/** Makes the main port. Whatever is thrown on the way of a call is caught here and nowhere else. */
export function createGatewayServer(options: ServerOptions): GatewayServer {
  const { limits } = options;
  const open = new Map<Duplex, Set<ServerResponse>>();
  const handOn = new HandOn(options.pass, limits.lingerMs);
  const decode = decoder(limits.bodyBytes);
  const unsent = new Unsent(limits.unsentBytes);
  let draining = false;

  /** What every request has that is not answered at once. Gives the id by which it is known. */
  function enter(req: IncomingMessage, res: ServerResponse): string {
    // Between requests Node's own timeout for idle connections stands in its place.
    req.socket.setTimeout(limits.stalledTimeoutMs);
    // Writing after the end is a bug of ours, but unheard it would end the process.
    res.on('error', () => res.destroy());
    const calls = open.get(req.socket);
    calls?.add(res);
    res.on('close', () => {
      calls?.delete(res);
      // Its head promised to keep the connection, which would now hold up the end until it is cut.
      if (draining) server.closeIdleConnections();
    });
    return identified(req);
  }

  async function take(
    req: IncomingMessage,
    res: ServerResponse,
    expectsContinue: boolean,
    known: Buffer | null,
  ): Promise<void> {
    const id = enter(req, res);
    // Behind a call that ends the connection nothing was asked, be it a call or the rest of a smuggled one: a pipelined call
    // waits until it is its turn to be answered, which then never comes.
    if (res.socket === null) await new Promise((turn) => res.once('socket', turn));

    let continued = !expectsContinue;
    const { method, target, headers, remote } = headOf(req);
    const head = { id, method, target, headers, remote };
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
      const called = () => incoming(req, res, head, { known, bodyBytes: limits.bodyBytes, decode, proceed });
      const reply = options.elsewhere?.(head) ?? (await options.answer(called()));
      if (!('to' in reply)) return answer(req, res, reply, id, continued);
      proceed();
      passOn(req, res, reply, known, id);
    } catch (error) {
      await refuse(req, res, error, id, continued);
    }
  }

  function answer(req: IncomingMessage, res: ServerResponse, reply: Reply, id: string, continued: boolean): void {
    if (draining || !req.complete) res.setHeader('Connection', 'close');
    const held = req.complete || !continued ? null : linger(req, limits.lingerMs);
    options.send(res, reply, { id, head: req.method === 'HEAD', held });
    if (!isStream(reply.body)) unsent.add(res, reply.body);
  }

  async function refuse(
    req: IncomingMessage,
    res: ServerResponse,
    error: unknown,
    id: string,
    continued: boolean,
  ): Promise<void> {
    // Node tells of a head before it knows that there is no body.
    await null;
    if (!(error instanceof ClientGone)) answer(req, res, options.refuse(error), id, continued);
  }

  /** Hands on what is not ours. */
  function passOn(req: IncomingMessage, res: ServerResponse, passed: Passed, known: Buffer | null, id: string): void {
    // Not by a header of ours: with one there, Node would copy those of the answer one by one.
    if (draining) res.shouldKeepAlive = false;
    handOn.request(req, res, passed, known, (error) => orEnd(res, refuse(req, res, error, id, true)));
  }

  /** Hands on at once what at a glance is not ours: what a call needs beside would be a tenth of it. @returns false for all else */
  function hurryOn(req: IncomingMessage, res: ServerResponse): boolean {
    if (mayBeOurs(req.url ?? '') || res.socket === null || checkFraming(req) !== null) return false;
    const passed = options.elsewhere?.(headOf(req)) ?? null;
    if (passed === null) return false;
    passOn(req, res, passed, knownBody(req), enter(req, res));
    return true;
  }

  /** Only a bug in refusing or sending comes here; the client still gets an end. */
  const orEnd = (res: ServerResponse, work: Promise<void>) =>
    work.catch(() => {
      if (res.headersSent) res.destroy();
      else res.writeHead(500, { 'Content-Type': 'application/json;charset=utf-8' }).end('"Internal Server Error"');
    });
  const start = (req: IncomingMessage, res: ServerResponse, expectsContinue: boolean, known: Buffer | null) =>
    orEnd(res, take(req, res, expectsContinue, known));

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
    // Node's own refusal has no body.
    requireHostHeader: false,
  });
  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set());
    socket.on('close', () => open.delete(socket));
  });
  const takeWhole = (req: IncomingMessage, res: ServerResponse, known: Buffer | null) => start(req, res, false, known);
  const quick = quickRoad(options.recall, takeWhole, (res, body) => {
    res.socket?.setTimeout(limits.stalledTimeoutMs);
    if (body !== null) unsent.add(res, body);
  });
  server.on('request', (req, res) => {
    // Who is told to leave must hear it in the head of his answer.
    if (draining) start(req, res, false, null);
    else if (!hurryOn(req, res)) quick(req, res);
  });
  server.on('timeout', (socket) => {
    const calls = [...(open.get(socket) ?? [])];
    // Who has sent all that we take, has taken all there is, and waits for the rest is not at fault.
    const waits = calls.length > 0 && calls.every(({ req }) => req.complete || req.isPaused());
    if (!waits || socket.writableLength > 0) socket.destroy();
  });
  // Node drops the headers from the thousandth on; `maxHeaderSize` bounds them already.
  server.maxHeadersCount = 0;
  server.on('checkContinue', (req, res) => start(req, res, true, null));
  // What else may be expected is nothing we know; Node's own refusal has no body.
  server.on('checkExpectation', (req, res) => start(req, res, false, null));
  const { upgrade } = options;
  // With a listener Node hands over every connection that asks, such as that of curl --http2, and answers none itself.
  if (upgrade !== null)
    server.on('upgrade', (req, socket, head) => {
      identified(req);
      const refuse = (error: unknown) => answerRaw(socket, options.refuse(error), limits.lingerMs);
      if (!upgrade(req, socket, head, refuse)) server.emit('connection', withoutUpgrade(req, socket, head));
    });
  const refused = (code: string, socket: Duplex) => {
    const calls = open.get(socket) ?? new Set();
    // Node times the whole of a body, and leaves it to whoever listens what comes of that.
    const isUpload = handOn.isUploading(socket) && [...calls].every(({ req }) => !req.complete);
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUpload) return;
    refuseRaw({ code, headerBytes: limits.headerBytes }, socket, calls, limits.lingerMs, options.unreadable());
  };
  server.on('connect', (_, socket) => refused('CONNECT', socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refused(error.code ?? '', socket));

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(address !== null && typeof address === 'object' ? address.port : port);
        });
      }),
    close: (graceMs) =>
      new Promise((resolve) => {
        draining = true;
        const timer = setTimeout(() => {
          for (const socket of open.keys()) socket.destroy();
        }, graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        // To Node a connection that has not yet sent a byte is not idle, and browsers open such ones in advance.
        for (const socket of open.keys()) if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy();
      }),
  };
}
