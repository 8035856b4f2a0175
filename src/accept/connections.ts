/** The open connections of clients, at most so many. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export class Connection {
  readonly socket: Socket;
  /** Requests that take the whole way and have not been answered yet. */
  readonly calls = new Set<ServerResponse>();
  /** The response to the newest request. It closes last: responses are sent in the order of their requests. */
  latest: ServerResponse | null = null;
  /** Whether it has become something else, such as a WebSocket. */
  isUpgraded = false;
  /** Whether it was refused what cannot be read as a request: nothing that follows is read any more. */
  isRefused = false;
  /** The number of its last use, as {@link Connections} counts them. */
  used: number;

  constructor(socket: Socket, used: number) {
    this.socket = socket;
    this.used = used;
  }

  /** Whether no request is under way. A head that is still coming in is not a request yet. */
  get isIdle(): boolean {
    return this.isUpgraded ? this.socket.writableFinished : this.latest === null || this.latest.closed;
  }
}

/** A connection that was idle when the connections were last sorted; `used` tells whether it has been in use since. */
interface Candidate {
  readonly connection: Connection;
  readonly used: number;
}

export class Connections {
  readonly #max: number;
  readonly #full: (closed: 'idle' | 'new') => void;
  readonly #open = new Map<Duplex, Connection>();
  /** Longest idle last. To sort all connections for each new one would cost more than to accept it. */
  #candidates: Candidate[] = [];
  #uses = 0;

  /** @param full called when a connection was closed because there were too many */
  constructor(max: number, full: (closed: 'idle' | 'new') => void) {
    this.#max = max;
    this.#full = full;
  }

  get size(): number {
    return this.#open.size;
  }

  /** A connection that Node reads anew, as after an upgrade that was not wanted, is already in here. */
  open(socket: Socket): void {
    if (this.#open.has(socket)) return;
    // For the whole life of the socket: Node takes its own listener off at 'connect' and 'upgrade', and without one a reset ends the process.
    socket.on('error', nothing);
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
   * Notes that a request has come, by its response.
   * @returns false where the connection has ended with the answer to another one, though its bytes are still read: it is to be ignored.
   *   Node would send its answer before those that wait for their turn, and fail an assertion, which ends the process.
   */
  begin(res: ServerResponse): boolean {
    const { socket } = res.req;
    const connection = this.#open.get(socket);
    if (connection === undefined || !socket.writable) return false;
    connection.latest = res;
    connection.used = ++this.#uses;
    return true;
  }

  /** Notes that something under way on a connection has ended: from now on it may be idle. */
  end(connection: Connection): void {
    connection.used = ++this.#uses;
  }

  /** Closes those that have not sent a byte, as browsers open them in advance. To Node they are not idle. */
  closeUnused(): void {
    for (const { socket } of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }

  closeAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #closed(socket: Duplex): void {
    this.#open.delete(socket);
    // Closed connections would stay in memory.
    if (this.#open.size < this.#max / 2) this.#candidates = [];
  }

  /** Closes the connection that has been idle longest. @returns false where a request is under way on every one */
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
