import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a tap does with bytes that a client sends. */
export type Verdict =
  | 'pass'
  /** Delivers them later, and the following bytes after them. */
  | { readonly holdFor: number }
  /** Disconnects the client, and delivers the bytes to the server later; null: never, and disconnects from the server as well. */
  | { readonly hangUpAndDeliverAfter: number | null }
  /** Delivers the bytes, but disconnects the client when the server answers. */
  | 'lose the answer';

/** A TCP proxy in front of any server, which a test can make misbehave. */
export interface Tap {
  /** The server's URL with the address of the tap. */
  readonly url: string;
  /** The number of open client connections. */
  readonly open: number;
  /** From now on `verdict` decides about bytes from clients, and `holdAnswer` gives the delay of each answer in milliseconds. */
  watch(verdict: (bytes: Buffer) => Verdict, holdAnswer?: (bytes: Buffer) => number): void;
  /** Delays all bytes in both directions by this many milliseconds; 0 ends that. */
  delay(milliseconds: number): void;
  /** Sends the server's answers in pieces of this many bytes, with a millisecond in between; null ends that. */
  split(bytes: number | null): void;
  /** Forwards nothing any more, neither bytes nor disconnects, like a host that was suspended. */
  freeze(): void;
  thaw(): void;
  /** Forwards nothing any more on existing connections, like a firewall that has dropped them from its table. New ones work. */
  forget(): void;
  /** Resets all existing connections on both sides. New ones work. */
  cut(): void;
  /** Connects new clients to another server. */
  redirect(serverUrl: string): void;
  /** Refuses new connections. Existing ones stay. */
  refuse(): void;
  /** Accepts new connections again, on the same port. */
  accept(): Promise<void>;
  close(): void;
}

/** @param host the address to listen on */
export async function openTap(serverUrl: string, host = '127.0.0.1'): Promise<Tap> {
  let target = new URL(serverUrl);
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let delayMs = 0;
  let size: number | null = null;
  let isFrozen = false;
  let verdict: (bytes: Buffer) => Verdict = () => 'pass';
  let holdAnswer: (bytes: Buffer) => number = () => 0;
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const [socket, sockets] of [
      [client, clients],
      [upstream, servers],
    ] as const) {
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
      else if (size === null) toClient(bytes, Math.max(delayMs, holdAnswer(bytes)));
      else for (let at = 0; at < bytes.length; at += size) toClient(bytes.subarray(at, at + size), 1 + at / size);
    });
    upstream.on('close', () => toClient(null, 0).then(() => client.destroy()));
    client.on('close', () => cut || toServer(null, 0).then(() => upstream.destroy()));
    client.on('data', async (bytes) => {
      const action = verdict(bytes);
      if (action === 'lose the answer') answerIsLost = true;
      if (typeof action === 'string' || 'holdFor' in action) {
        toServer(bytes, Math.max(delayMs, typeof action === 'string' ? 0 : action.holdFor));
        return;
      }
      cut = true;
      client.destroy();
      if (action.hangUpAndDeliverAfter === null) {
        upstream.destroy();
        return;
      }
      await sleep(action.hangUpAndDeliverAfter);
      upstream.end(bytes);
    });
    if (isFrozen) for (const socket of [client, upstream]) socket.pause();
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, host, resolve));
  await listen(0);
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = new URL(serverUrl);
  url.hostname = host;
  url.port = String(port);
  return {
    url: url.href,
    get open() {
      return clients.size;
    },
    watch(next, hold = () => 0) {
      verdict = next;
      holdAnswer = hold;
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    split(bytes) {
      size = bytes;
    },
    freeze() {
      isFrozen = true;
      for (const socket of [...clients, ...servers]) socket.pause();
    },
    forget() {
      for (const socket of [...clients, ...servers]) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of [...clients, ...servers]) socket.resume();
    },
    cut() {
      for (const socket of [...clients, ...servers]) socket.resetAndDestroy();
    },
    redirect(serverUrl) {
      target = new URL(serverUrl);
    },
    refuse() {
      server.close();
    },
    accept: () => listen(port),
    close() {
      server.close();
      for (const socket of [...clients, ...servers]) socket.destroy();
    },
  };
}

/** Writes each piece after its delay, but never before an earlier piece. With null it only waits for the earlier ones. */
function inOrder(write: (bytes: Buffer) => unknown): (bytes: Buffer | null, milliseconds: number) => Promise<void> {
  let last: Promise<void> | null = null;
  return async (bytes, milliseconds) => {
    if (last === null && milliseconds === 0) {
      if (bytes !== null) write(bytes);
      return;
    }
    const before = last;
    const waited = milliseconds > 0 ? sleep(milliseconds) : null;
    const mine = (async () => {
      await before;
      await waited;
      if (bytes !== null) write(bytes);
    })();
    last = mine;
    await mine;
    if (last === mine) last = null;
  };
}
