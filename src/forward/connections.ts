import { Agent, type ClientRequest } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The upstream has stalled; the message names the step. */
export class TimedOut extends Error {}

export interface UpstreamTimeouts {
  /** Milliseconds until it must accept a connection. */
  readonly connectTimeout: number;
  /** Milliseconds that a connection may be inactive during a request. */
  readonly idleTimeout: number;
}

/**
 * Milliseconds for which an idle connection is kept at least. A request sent just as the upstream closes its side is lost
 * without notice. gunicorn closes after 2 s, Node after 5 s, Apache after 5 s.
 */
const keptFor = 1000;
/** Milliseconds between two checks for expired idle connections. */
const lookEvery = 250;

/**
 * Opens and reuses connections to the upstream. Each has its own timeout, so that no request needs a timer.
 * @returns an agent for Node. Node's own one serves many addresses: finding a free connection in it took a tenth of a forwarded
 * request.
 */
export function connections(to: URL, { connectTimeout, idleTimeout }: UpstreamTimeouts): Agent {
  const open = opener(to);
  const all = new Set<Socket>();
  /** Idle connections. The one released last is used next. */
  const kept: Connection[] = [];

  const opened = (): Socket => {
    const socket = open();
    const connection: Connection = { socket, left: null };
    all.add(socket);
    let late = 'took no connection in time';
    socket.setTimeout(connectTimeout, () => socket.destroy(new TimedOut(late)));
    socket.once(to.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      late = 'did not answer in time';
      socket.setTimeout(idleTimeout);
    });
    socket.on('error', ignore).on('close', () => all.delete(socket));
    // Node's client emits this when a request has released its connection.
    socket.on('free', () => {
      connection.left = performance.now();
      kept.push(connection);
    });
    // Unsolicited bytes would be taken for the answer to the next request, or for its beginning.
    socket.on('data', () => connection.left === null || socket.destroy());
    return socket;
  };
  const free = (): Socket | null => {
    for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
      last.left = null;
      if (last.socket.writable) return last.socket;
    }
    return null;
  };
  const looking = setInterval(() => {
    const enough = performance.now() - keptFor;
    const used = kept.findIndex(({ left }) => left !== null && left > enough);
    for (const { socket } of kept.splice(0, used < 0 ? kept.length : used)) socket.destroy();
  }, lookEvery).unref();

  const agent = to.protocol === 'https:' ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  return Object.assign(agent, {
    addRequest: (request: ClientRequest) => request.onSocket(free() ?? opened()),
    destroy() {
      clearInterval(looking);
      for (const socket of all) socket.destroy();
    },
  });
}

interface Connection {
  readonly socket: Socket;
  /** When it was released, by `performance.now()`; null while a request uses it. */
  left: number | null;
}

/** Without an 'error' listener, a break of an idle connection would end the process. */
const ignore = () => undefined;

function opener({ protocol, hostname, port }: URL): () => Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const address = { host, port: Number(port || (isTls ? 443 : 80)) };
  // Parts of an upload do not wait for each other, and a dead host is noticed. (`tls.connect` has no options for it.)
  const ready = (socket: Socket) => socket.setNoDelay(true).setKeepAlive(true, 1000);
  if (!isTls) return () => ready(connect(address));
  // The certificate's name is checked against the URL's host, whatever `Host` says.
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
    return ready(socket);
  };
}
