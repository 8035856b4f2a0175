import { Agent, type ClientRequest } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The application stands still; the message says in what. */
export class TimedOut extends Error {}

export interface Patience {
  /** Milliseconds until it must have taken a connection. */
  readonly connectTimeout: number;
  /** Milliseconds that a connection may stand still in the midst of a request. */
  readonly idleTimeout: number;
}

/**
 * How long a connection at least waits for the next request, in milliseconds. A request sent just as the application closes its side
 * is lost, and the application gives no notice: gunicorn closes after 2 s, Node after 5 s, Apache after 5 s.
 */
const keptFor = 1000;
/** How often it is looked who has waited for so long, in milliseconds. */
const lookEvery = 250;

/**
 * Opens and keeps connections to the application. Each ends itself when it stands still, so that nothing has to be timed for
 * a request.
 * @returns what Node takes for an agent. Its own one serves many addresses at once: to find a free connection among those of this
 * one took a tenth of what it takes to pass a request on.
 */
export function connections(to: URL, { connectTimeout, idleTimeout }: Patience): Agent {
  const open = opener(to);
  const all = new Set<Socket>();
  /** Those that no request uses. The last one left is used next. */
  const kept: Connection[] = [];
  /** The time, as of the last look: to ask for it costs something for each request. */
  let now = performance.now();

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
    socket.on('error', nobody).on('close', () => all.delete(socket));
    // So Node's client tells that a request needs its connection no longer.
    socket.on('free', () => {
      connection.left = now;
      kept.push(connection);
    });
    // What is said unasked would be taken for an answer, or its beginning for that of the next one.
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
    now = performance.now();
    const enough = now - keptFor - lookEvery;
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
  /** Since when it is kept; null while a request uses it. */
  left: number | null;
}

/** While no request uses a connection nobody else hears that it broke. */
const nobody = () => undefined;

function opener({ protocol, hostname, port }: URL): () => Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const address = { host, port: Number(port || (isTls ? 443 : 80)) };
  // Pieces of an upload do not wait for each other, and a host that has died is noticed. (`tls.connect` knows no options for it.)
  const ready = (socket: Socket) => socket.setNoDelay(true).setKeepAlive(true, 1000);
  if (!isTls) return () => ready(connect(address));
  // The name in the certificate is that of the address, whatever `Host` says.
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
