import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a tap does with bytes of a client, or of the server. */
export type Verdict =
  | 'pass'
  /** Hands them on later, and what follows them after them. */
  | { readonly holdFor: number }
  /** Hangs up on the client, and hands them to the server later; null: never, the server is hung up on, too. */
  | { readonly hangUpAndDeliverAfter: number | null }
  /** Hands them to the server and hangs up on the client when the server answers. */
  | 'lose the answer';

/** A TCP proxy in front of a database server, which a test can make misbehave. */
export interface Tap {
  /** The server's URL with the tap's address. */
  readonly url: string;
  /** Decides over what clients send from now on, and how long each answer is held. */
  watch(verdict: (bytes: Buffer) => Verdict, holdAnswer?: (bytes: Buffer) => number): void;
  close(): void;
}

export async function openTap(serverUrl: string): Promise<Tap> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let verdict: (bytes: Buffer) => Verdict = () => 'pass';
  let holdAnswer: (bytes: Buffer) => number = () => 0;
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    let cut = false;
    let answerIsLost = false;
    const toServer = inOrder((bytes) => upstream.write(bytes));
    const toClient = inOrder((bytes) => cut || client.write(bytes));
    upstream.on('data', (bytes) => {
      if (answerIsLost) client.destroy();
      else toClient(bytes, holdAnswer(bytes));
    });
    upstream.on('close', () => toClient(null, 0).then(() => client.destroy()));
    client.on('close', () => cut || toServer(null, 0).then(() => upstream.destroy()));
    client.on('data', async (bytes) => {
      const said = verdict(bytes);
      if (said === 'lose the answer') answerIsLost = true;
      if (typeof said === 'string' || 'holdFor' in said) {
        toServer(bytes, typeof said === 'string' ? 0 : said.holdFor);
        return;
      }
      cut = true;
      client.destroy();
      if (said.hangUpAndDeliverAfter === null) {
        upstream.destroy();
        return;
      }
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
    watch(next, hold = () => 0) {
      verdict = next;
      holdAnswer = hold;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Writes each piece after its own wait, but never before an earlier one. Null only waits for those before it. */
function inOrder(write: (bytes: Buffer) => unknown): (bytes: Buffer | null, milliseconds: number) => Promise<void> {
  let last: Promise<void> | null = null;
  return async (bytes, milliseconds) => {
    if (last === null && milliseconds === 0) {
      if (bytes !== null) write(bytes);
      return;
    }
    const before = last;
    const mine = (async () => {
      await before;
      if (milliseconds > 0) await sleep(milliseconds);
      if (bytes !== null) write(bytes);
    })();
    last = mine;
    await mine;
    if (last === mine) last = null;
  };
}
