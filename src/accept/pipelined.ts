import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds of one turn of the event loop that requests which waited may take, and how many of them. */
const [slice, perTurn] = [5, 50];
/** Requests that may wait: of one connection, and of all. Each takes some four kilobytes. */
const [mostOfOne, mostOfAll] = [1000, 20_000];

interface Line {
  waiting: number;
  readonly leave: () => void;
}

/**
 * Requests that came before the earlier ones of their connection were answered. Node parses up to two megabytes of them in one turn:
 * handled as they come they would hold the event loop for seconds. Each is handled when its connection has nothing else to answer, and
 * connections take turns. (To stop reading is no remedy: Node reads on with each request that it has answered.)
 */
export class Pipelined {
  readonly #lines = new Map<Socket, Line>();
  readonly #refused = new WeakSet<Socket>();
  readonly #ready: (() => void)[] = [];
  #count = 0;
  #isScheduled = false;

  /** Handles a request once the responses before its own have ended. Where too many wait, the connection is closed. */
  add(socket: Socket, res: ServerResponse, handle: () => void): void {
    const line = this.#lines.get(socket) ?? this.#begin(socket);
    if (line.waiting >= mostOfOne || this.#count >= mostOfAll || this.#refused.has(socket)) {
      socket.destroy();
      return;
    }
    this.#count++;
    line.waiting++;
    res.once('socket', () => {
      this.#ready.push(() => {
        if (this.#lines.get(socket) !== line) return;
        this.#count--;
        if (--line.waiting === 0) this.#end(socket, line);
        handle();
      });
      this.#schedule();
    });
  }

  /**
   * Closes the connection if requests wait on it, now or until this response has ended: it never does by itself. They would take the
   * room of all others for as long as the client likes.
   */
  refuse(socket: Socket, res: ServerResponse): void {
    if (this.#lines.has(socket)) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    res.once('close', () => this.#refused.delete(socket));
  }

  #begin(socket: Socket): Line {
    const leave = () => {
      this.#lines.delete(socket);
      this.#count -= line.waiting;
    };
    const line = { waiting: 0, leave };
    this.#lines.set(socket, line);
    // What waits on a connection that is closed is never handled.
    socket.once('close', leave);
    return line;
  }

  #end(socket: Socket, { leave }: Line): void {
    this.#lines.delete(socket);
    socket.off('close', leave);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const end = performance.now() + slice;
    for (const handle of this.#ready.splice(0, perTurn)) {
      if (performance.now() < end) handle();
      else this.#ready.push(handle);
    }
    if (this.#ready.length > 0) this.#schedule();
  }
}
