import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a tap does with bytes of a client: hands them on; or hangs up on the client and hands them to the server later. */
export type Verdict = 'pass' | { readonly hangUpAndDeliverAfter: number };

/** A TCP proxy in front of a database server, which a test can make misbehave. */
export interface Tap {
  /** The server's URL with the tap's address. */
  readonly url: string;
  /** Decides over what clients send from now on. */
  watch(verdict: (bytes: Buffer) => Verdict): void;
  close(): void;
}

export async function openTap(serverUrl: string): Promise<Tap> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let verdict: (bytes: Buffer) => Verdict = () => 'pass';
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    let cut = false;
    upstream.on('data', (bytes) => cut || client.write(bytes));
    upstream.on('close', () => client.destroy());
    client.on('close', () => cut || upstream.destroy());
    client.on('data', async (bytes) => {
      const said = verdict(bytes);
      if (said === 'pass') {
        upstream.write(bytes);
        return;
      }
      cut = true;
      client.destroy();
      await sleep(said.hangUpAndDeliverAfter);
      upstream.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(serverUrl);
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0);
  return {
    url: url.href,
    watch(next) {
      verdict = next;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
