/** The open connections of clients, up to a limit. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export class Connection {
  readonly socket: Socket;
  /** Requests on the full path that have not been answered yet. */
  readonly calls = new Set<ServerResponse>();
  /** The response to the newest request. It closes last: responses are sent in the order of their requests. */
  latest: ServerResponse | null = null;
  /** Whether it has changed protocol, such as to a WebSocket. */
  isUpgraded = false;
  /** Whether an unreadable request was refused on it: later bytes are discarded. */
  isRefused = false;
  /** The number of its last use, as {@link Connections} counts them. */
  used: number;

  constructor(socket: Socket, used: number) {
    this.socket = socket;
    this.used = used;
  }

  /** Whether it has no request in progress. An incomplete head is not a request yet. */
  get isIdle(): boolean {
    return this.isUpgraded ? this.socket.writableFinished : this.latest === null || this.latest.closed;
  }
}

/** A connection that was idle at the last sort. If its `used` has changed, it has been in use since. */
interface Candidate {
  readonly connection: Connection;
  readonly used: number;
}

export class Connections {
  readonly #max: number;
  readonly #full: (closed: 'idle' | 'new') => void;
  readonly #open = new Map<Duplex, Connection>();
  /** Longest idle last. Sorting all connections for each new one would cost more than accepting it. */
  #candidates: Candidate[] = [];
  #uses = 0;

  /** @param full called when a connection was closed because the limit was reached */
  constructor(max: number, full: (closed: 'idle' | 'new') => void) {
    this.#max = max;
    this.#full = full;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a connection. One that Node parses again, as after a declined upgrade, is already in here. */
  open(socket: Socket): void {
    if (this.#open.has(socket)) return;
    // For the whole life of the socket: Node removes its own listener at 'connect' and 'upgrade', and a reset without one ends
    // the process.
    socket.on('error', nothing);
    // Node keeps the address in a field of the socket when it is first asked for it. V8 runs faster where all sockets have that
    // field: hits, which need no address, by 2 %.
    void socket.remoteAddress;
    if (this.#open.size >= this.#max && !this.#closeIdle()) {
      this.#full('new');
      socket.destroy();
      return;
    }
    this.#open.set(socket, new Connection(socket, ++this.#uses));
    socket.on('close', () => this.#closed(socket));
  }

  of(socket: Duplex): Connection | undefined {
    return this.#open.get(socket);
  }

  /**
   * Registers a request by its response.
   * @returns false where the connection has ended with an earlier answer, though its bytes are still read: ignore the request.
   * Node would send its answer before queued ones, and fail an assertion, which ends the process.
   */
  begin(res: ServerResponse): boolean {
    const { socket } = res.req;
    const connection = this.#open.get(socket);
    if (connection === undefined || !socket.writable) return false;
    connection.latest = res;
    connection.used = ++this.#uses;
    return true;
  }

  /** A request or upgrade on the connection has ended: it may be idle from now on. */
  end(connection: Connection): void {
    connection.used = ++this.#uses;
  }

  /** Closes the server: resolves when every connection has ended, and destroys those that are open after `graceMs`. */
  drain(server: Server, graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.closeAll(), graceMs);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    // Browsers open connections in advance. Node does not count them as idle before their first byte.
    for (const { socket } of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
    return closed;
  }

  /** Closes a connection on which nothing has happened for long, unless it waits for the gateway. */
  stalled(socket: Socket): void {
    const calls = [...(this.of(socket)?.calls ?? [])];
    // A client that has sent its whole request, read all bytes so far, and waits for more is not at fault.
    const waits = calls.length > 0 && calls.every(({ req }) => req.complete || req.isPaused());
    if (!waits || socket.writableLength > 0) socket.destroy();
  }

  closeAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #closed(socket: Duplex): void {
    this.#open.delete(socket);
    // Frees the closed connections, which the list would keep in memory.
    if (this.#open.size < this.#max / 2) this.#candidates = [];
  }

  /** Closes the connection that has been idle longest. @returns false where every connection has a request in progress */
  #closeIdle(): boolean {
    const longest = this.#nextCandidate() ?? this.#sort().#nextCandidate();
    if (longest === null) return false;
    this.#open.delete(longest.socket);
    this.#full('idle');
    longest.socket.destroy();
    return true;
  }

  #nextCandidate(): Connection | null {
    for (let next = this.#candidates.pop(); next !== undefined; next = this.#candidates.pop()) {
      const { connection, used } = next;
      if (connection.used === used && connection.isIdle && this.#open.has(connection.socket)) return connection;
    }
    return null;
  }

  #sort(): this {
    this.#candidates = [...this.#open.values()]
      .filter(({ isIdle }) => isIdle)
      .map((connection) => ({ connection, used: connection.used }))
      .sort((a, b) => b.used - a.used);
    return this;
  }
}

const nothing = () => undefined;
