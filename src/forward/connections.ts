import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { isIP, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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

/**
 * Opens and keeps connections to the application. Each ends itself when it stands still, so that nothing has to be timed for
 * a request.
 */
export function connections({ protocol, hostname }: URL, { connectTimeout, idleTimeout }: Patience): Agent {
  const isTls = protocol === 'https:';
  // The name in the certificate is that of the address, whatever `Host` says.
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
  const agent = isTls ? new TlsAgent({ keepAlive: true, servername }) : new Agent({ keepAlive: true });
  const open = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    const socket = open(options, done);
    if (!(socket instanceof Socket)) return socket;
    let late = 'took no connection in time';
    socket.setTimeout(connectTimeout, () => socket.destroy(new TimedOut(late)));
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      late = 'did not answer in time';
      socket.setTimeout(idleTimeout);
    });
    return socket;
  };
  // Not by their own timers: to set them twice for each request would be a hundredth of it.
  const kept = new Map<Duplex, number>();
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket, request) => {
    kept.delete(socket);
    reuse(socket, request);
  };
  agent.keepSocketAlive = (socket) => {
    if (socket instanceof Socket) socket.unref();
    kept.set(socket, performance.now());
    return true;
  };
  const look = () => {
    const enough = performance.now() - keptFor;
    for (const [socket, since] of kept) {
      if (since > enough) break;
      kept.delete(socket);
      socket.destroy();
    }
  };
  const looking = setInterval(look, keptFor / 4).unref();
  const close = agent.destroy.bind(agent);
  agent.destroy = () => {
    clearInterval(looking);
    close();
  };
  return agent;
}
