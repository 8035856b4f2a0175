import { Agent, type ClientRequest } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The upstream has not connected or answered in time; the message says which. */
export class TimedOut extends Error {}

export interface UpstreamTimeouts {
  /** Milliseconds within which the upstream must accept a connection. */
  readonly connectTimeout: number;
  /** How many milliseconds a connection may be inactive during a request. */
  readonly idleTimeout: number;
}

/**
 * Idle connections are closed at the first check after this many milliseconds. It must be less than the upstream's keep-alive timeout
 * (gunicorn 2 s, Node and Apache 5 s): a request sent just as the upstream closes its side is lost.
 */
const idleMs = 1000;
/** Milliseconds between two checks for expired idle connections. */
const checkMs = 250;

/**
 * Opens and reuses connections to the upstream. Each connection has its own timeout, so that no request needs a timer.
 * @returns an agent for `node:http`. Node's own agent serves many addresses, and finding a free connection in it took 10 % of a forwarded
 * request's time.
 */
export function connections(to: URL, { connectTimeout, idleTimeout }: UpstreamTimeouts): Agent {
  const open = opener(to);
  const all = new Set<Socket>();
  /** Idle connections, most recently used last. */
  const idle: Connection[] = [];

  const openSocket = (): Socket => {
    const socket = open();
    const connection: Connection = { socket, idleSince: null };
    all.add(socket);
    let timeoutText = 'took no connection in time';
    socket.setTimeout(connectTimeout, () => socket.destroy(new TimedOut(timeoutText)));
    socket.once(to.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      timeoutText = 'did not answer in time';
      socket.setTimeout(idleTimeout);
    });
    socket.on('error', ignore).on('close', () => all.delete(socket));
    // Node emits 'free' when a request has released its connection.
    socket.on('free', () => {
      connection.idleSince = performance.now();
      idle.push(connection);
    });
    // Close an idle connection that receives bytes: they would be taken for the answer to the next request.
    socket.on('data', () => connection.idleSince === null || socket.destroy());
    return socket;
  };
  const takeIdle = (): Socket | null => {
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      last.idleSince = null;
      if (last.socket.writable) return last.socket;
    }
    return null;
  };
  const timer = setInterval(() => {
    const expiry = performance.now() - idleMs;
    const firstFresh = idle.findIndex(({ idleSince }) => idleSince !== null && idleSince > expiry);
    for (const { socket } of idle.splice(0, firstFresh < 0 ? idle.length : firstFresh)) socket.destroy();
  }, checkMs).unref();

  const agent = to.protocol === 'https:' ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  return Object.assign(agent, {
    addRequest: (request: ClientRequest) => request.onSocket(takeIdle() ?? openSocket()),
    destroy() {
      clearInterval(timer);
      for (const socket of all) socket.destroy();
    },
  });
}

interface Connection {
  readonly socket: Socket;
  /** When the connection became idle, by `performance.now()`; null while a request uses it. */
  idleSince: number | null;
}

/** A listener for 'error', without which the reset of an idle connection would crash the process. */
const ignore = () => undefined;

function opener({ protocol, hostname, port }: URL): () => Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const address = { host, port: Number(port || (isTls ? 443 : 80)) };
  // No Nagle delay between parts of an upload, and TCP keep-alive to notice a dead host. (`tls.connect` has no options for these.)
  const prepared = (socket: Socket) => socket.setNoDelay(true).setKeepAlive(true, 1000);
  if (!isTls) return () => prepared(connect(address));
  // Check the certificate against the host in the upstream's URL, whatever the `Host` header says.
  const servername = isIP(host) === 0 ? host : '';
  let session: Buffer | undefined;
  return () => {
    const options = { ...address, servername, ALPNProtocols: ['http/1.1'] };
    const socket = connectTls(session === undefined ? options : { ...options, session });
    socket.on('session', (latest) => {
      session = latest;
    });
    socket.once('close', (hasFailed) => {
      if (hasFailed) session = undefined;
    });
    return prepared(socket);
  };
}
