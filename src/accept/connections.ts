/** The open connections of clients, up to a limit. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export class Connection {
  readonly socket: Socket;
  /** Unanswered requests, except those that the request cache answers. */
  readonly calls = new Set<ServerResponse>();
  /** The response to the newest request. It closes last: responses are sent in the order of their requests. */
  latest: ServerResponse | null = null;
  /** Whether the connection has changed protocol, such as to a WebSocket. */
  isUpgraded = false;
  /** Whether an unreadable request was refused on this connection: later bytes are discarded. */
  isRefused = false;
  /** The sequence number of the connection's last use; the lowest number has been idle longest. */
  used: number;

  constructor(socket: Socket, used: number) {
    this.socket = socket;
    this.used = used;
  }

  /** Whether the connection has no request in progress. An incomplete head is not a request yet. */
  get isIdle(): boolean {
    return this.isUpgraded ? this.socket.writableFinished : this.latest === null || this.latest.closed;
  }
}

/** An idle connection that may be closed to make room. If `connection.used` is later than `used`, it has been in use since it was listed. */
interface Candidate {
  readonly connection: Connection;
  readonly used: number;
}

export class Connections {
  readonly #max: number;
  readonly #onFull: (closed: 'idle' | 'new') => void;
  readonly #open = new Map<Duplex, Connection>();
  /** Sorted with the longest idle last, and reused: sorting all connections for each new one would cost more than accepting it. */
  #candidates: Candidate[] = [];
  #uses = 0;

  /** @param onFull called when a connection was closed because the limit was reached */
  constructor(max: number, onFull: (closed: 'idle' | 'new') => void) {
    this.#max = max;
    this.#onFull = onFull;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a connection, unless it is known: Node emits 'connection' again when a socket returns to HTTP after a declined upgrade. */
  open(socket: Socket): void {
    if (this.#open.has(socket)) return;
    // Never remove this listener: Node removes its own at 'connect' and 'upgrade', and then a connection reset would crash the
    // process.
    socket.on('error', ignore);
    // Reading the address makes Node add a field to the socket. When all sockets have the same fields, V8 answers hits 2 %
    // faster.
    void socket.remoteAddress;
    if (this.#open.size >= this.#max && !this.#closeIdle()) {
      this.#onFull('new');
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
   * @returns false if the connection has already been ended after an earlier answer, but Node still parses its bytes. Ignore that
   * request: answering it fails an assertion in Node, which crashes the process
   */
  begin(res: ServerResponse): boolean {
    const { socket } = res.req;
    const connection = this.#open.get(socket);
    if (connection === undefined || !socket.writable) return false;
    connection.latest = res;
    connection.used = ++this.#uses;
    return true;
  }

  /** Records that a request or an upgrade has ended: the connection counts as used now, and may be idle. */
  end(connection: Connection): void {
    connection.used = ++this.#uses;
  }

  /** Closes the server, and destroys connections that are still open after `graceMs`. Resolves when all have ended. */
  drain(server: Server, graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.closeAll(), graceMs);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    // Browsers open connections in advance. Node does not count a connection as idle before its first byte, so close it here.
    for (const { socket } of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
    return closed;
  }

  /** Closes a connection that has been inactive for `limits.stalledTimeoutMs`, unless the client waits for the gateway. */
  stalled(socket: Socket): void {
    const calls = [...(this.of(socket)?.calls ?? [])];
    // The client is not at fault if it has sent its whole request and read all bytes so far.
    const waits = calls.length > 0 && calls.every(({ req }) => req.complete || req.isPaused());
    if (!waits || socket.writableLength > 0) socket.destroy();
  }

  closeAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #closed(socket: Duplex): void {
    this.#open.delete(socket);
    // Free the list when few connections are open: it would keep closed ones in memory.
    if (this.#open.size < this.#max / 2) this.#candidates = [];
  }

  /** Closes the connection that has been idle longest. @returns false if every connection has a request in progress */
  #closeIdle(): boolean {
    const longest = this.#nextCandidate() ?? this.#sort().#nextCandidate();
    if (longest === null) return false;
    this.#open.delete(longest.socket);
    this.#onFull('idle');
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

const ignore = () => undefined;
