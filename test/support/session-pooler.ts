import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A pooler in session mode, like PgBouncer: each client has a server session to itself, but sees another process id. */
export interface SessionPooler {
  readonly url: string;
  close(): void;
}

/** The header of BackendKeyData, the message with the process id of the session. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12]);

/** @param most maximum number of server sessions; further clients wait */
export async function openSessionPooler(serverUrl: string, most: number): Promise<SessionPooler> {
  const url = new URL(serverUrl);
  const { hostname, port } = url;
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  let used = 0;
  const next = () => {
    if (used >= most) return;
    const begin = waiting.shift();
    if (begin === undefined) return;
    used++;
    begin();
  };
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined).pause();
    waiting.push(() => {
      const session = connect(Number(port), hostname);
      sockets.add(session);
      session.on('error', () => undefined);
      session.on('data', (bytes) => {
        const at = bytes.indexOf(keyData);
        if (at !== -1) bytes.writeInt32BE(bytes.readInt32BE(at + 5) + 1_000_000, at + 5);
        client.write(bytes);
      });
      session.on('close', () => {
        used--;
        client.destroy();
        next();
      });
      client.on('close', () => session.destroy());
      client.pipe(session);
    });
    next();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String(Object(server.address()).port);
  return {
    url: url.href,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
