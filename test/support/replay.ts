import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a server sent on one connection: first its greeting, then its answer to each piece that the client sent. */
export type Dialogue = readonly Buffer[];

/** A proxy that records a server, or a replay that stands in for it. */
export interface Stage {
  readonly url: string;
  /** Sends bytes to every connected client. */
  say(bytes: Buffer): void;
  close(): void;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
};

async function stage(serverUrl: string, serve: (client: Socket) => void): Promise<Stage> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => clients.delete(client));
    serve(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(portOf(server));
  return {
    url: url.href,
    say(bytes) {
      for (const client of clients) client.write(bytes);
    },
    close() {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
}

/** A proxy that records what the server sends on the first connection. */
export async function openRecorder(serverUrl: string): Promise<Stage & { dialogue(): Dialogue }> {
  const { hostname, port } = new URL(serverUrl);
  let recorded: Buffer[][] | null = null;
  const opened = await stage(serverUrl, (client) => {
    const pieces: Buffer[][] = [[]];
    recorded ??= pieces;
    const server = connect(Number(port), hostname);
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.on('data', (bytes) => {
      if (pieces.at(-1)?.length !== 0 || pieces.length === 1) pieces.push([]);
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      pieces.at(-1)?.push(bytes);
      client.write(bytes);
    });
  });
  return { ...opened, dialogue: () => (recorded ?? []).map((pieces) => Buffer.concat(pieces)) };
}

/**
 * Replays a dialogue to the first client. It closes the connection when the dialogue is over, or when the client sends nothing for `silence`
 * milliseconds. Later clients are disconnected at once.
 * @param cut splits the bytes into the pieces to send
 */
export function openReplay(
  serverUrl: string,
  dialogue: Dialogue,
  silence: number,
  cut: (bytes: Buffer) => readonly Buffer[],
): Promise<Stage> {
  let isFirst = true;
  return stage(serverUrl, (client) => {
    if (!isFirst) client.destroy();
    isFirst = false;
    const rest = [...dialogue];
    client.setNoDelay(true);
    client.setTimeout(silence, () => client.destroy());
    const say = () => {
      const next = rest.shift();
      if (next !== undefined) for (const piece of cut(next)) client.write(piece);
      if (rest.length === 0) client.end();
    };
    client.on('data', say);
    if (dialogue[0]?.length !== 0) say();
    else rest.shift();
  });
}
