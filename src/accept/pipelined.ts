import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The limits of one event-loop turn that handles queued requests: its milliseconds, and the number of requests. */
const [maxTurnMs, maxPerTurn] = [5, 50];
/** The most requests that may queue: on one connection, and on all together. Each takes some four kilobytes. */
const [maxPerConnection, maxWaiting] = [1000, 20_000];

interface Queue {
  waiting: number;
  readonly leave: () => void;
}

/**
 * Pipelined requests: a client may send many before the first is answered. Node parses up to two megabytes of them in one turn of the event
 * loop, so handling all at once would block it for seconds. Each is handled when the responses before its own have ended, and connections
 * take turns. (Pausing the socket does not help: Node resumes it after each answer.)
 */
export class Pipelined {
  readonly #queues = new Map<Socket, Queue>();
  readonly #refused = new WeakSet<Socket>();
  readonly #ready: (() => void)[] = [];
  #count = 0;
  #isScheduled = false;

  /** Handles a request once the responses before its own have ended. If too many wait, the connection is closed. */
  add(socket: Socket, res: ServerResponse, handle: () => void): void {
    const queue = this.#queues.get(socket) ?? this.#begin(socket);
    if (queue.waiting >= maxPerConnection || this.#count >= maxWaiting || this.#refused.has(socket)) {
      socket.destroy();
      return;
    }
    this.#count++;
    queue.waiting++;
    res.once('socket', () => {
      this.#ready.push(() => {
        if (this.#queues.get(socket) !== queue) return;
        this.#count--;
        if (--queue.waiting === 0) this.#end(socket, queue);
        handle();
      });
      this.#schedule();
    });
  }

  /**
   * Closes the connection if requests queue behind this response, now or later. Called for an endless response, such as an event
   * stream: requests behind it could never be handled, and would take up the queue of all connections.
   */
  refuse(socket: Socket, res: ServerResponse): void {
    if (this.#queues.has(socket)) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    res.once('close', () => this.#refused.delete(socket));
  }

  #begin(socket: Socket): Queue {
    const leave = () => {
      this.#queues.delete(socket);
      this.#count -= queue.waiting;
    };
    const queue = { waiting: 0, leave };
    this.#queues.set(socket, queue);
    // The waiting requests of a closed connection are dropped.
    socket.once('close', leave);
    return queue;
  }

  #end(socket: Socket, { leave }: Queue): void {
    this.#queues.delete(socket);
    socket.off('close', leave);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const end = performance.now() + maxTurnMs;
    for (const handle of this.#ready.splice(0, maxPerTurn)) {
      if (performance.now() < end) handle();
      else this.#ready.push(handle);
    }
    if (this.#ready.length > 0) this.#schedule();
  }
}
