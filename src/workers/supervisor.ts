import cluster from 'node:cluster';
import type { States } from '../app/health.ts';
import type { Member, ToHub } from '../cache/buses/hub.ts';
import type { Emit } from '../model/events.ts';
import { Backoff } from '../values/backoff.ts';
import type { MetricValues } from '../watch/metrics.ts';
import type { AskNames, FromWorker, Orders, ToWorker, WorkerReply } from './messages.ts';

export interface Worker extends Member {
  send(message: ToWorker): void;
  readonly number: number;
  readonly pid: number;
  readonly orders: Orders;
  /** When the worker began to serve, by `performance.now()`; null if it does not serve yet. */
  since: number | null;
  /** The worker's database states when it was last asked; null before that. */
  states: States | null;
  /** The worker's metrics when it was last asked; null before that. */
  metrics: MetricValues | null;
  /** Whether the process has ended. Its last messages may still arrive. */
  isDead(): boolean;
}

export interface SupervisorOptions {
  readonly emit: Emit;
  orders(number: number, isLenient: boolean): Orders;
  heard(worker: Worker, message: ToHub | WorkerReply | AskNames): void;
  ended(worker: Worker): void;
}

/** The result of starting a worker: its port, or its exit code. */
export type Start = { readonly port: number } | { readonly code: number };

/** A worker that ends after serving for this many milliseconds is replaced at once, without backoff. */
const stableAfterMs = 10_000;

/**
 * Starts worker processes, and replaces each one that ends: at once, or with backoff if it ended soon after its start.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #workers = new Set<Worker>();
  /** The backoff of each worker that has ended soon after its start, by worker number. */
  readonly #backoffs = new Map<number, Backoff>();
  #stopped: (() => void) | null = null;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    // Let workers share the socket: when one hangs or dies, another accepts the waiting connections. By default, the primary would assign
    // each connection to one worker.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
  }

  /** Starts the first worker, which must serve all configured resources. If it ends before it serves, it is not replaced. */
  first(number: number): Promise<Start> {
    return new Promise((resolve) => this.#start(number, false, resolve));
  }

  /** Starts another worker, which is always replaced when it ends. Resolves when the worker serves or has ended. */
  start(number: number): Promise<unknown> {
    return new Promise((resolve) => this.#start(number, true, resolve));
  }

  /** Asks all workers to finish their calls, and kills those that have not ended in time. */
  async stop(milliseconds: number): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    for (const worker of this.#workers) worker.send({ ask: 'stop' });
    if (this.#workers.size === 0) return;
    const timer = setTimeout(() => this.kill(), milliseconds);
    await gone;
    clearTimeout(timer);
  }

  kill(): void {
    for (const worker of this.#workers) worker.kill();
  }

  #start(number: number, isLenient: boolean, up: (start: Start) => void): void {
    const { orders, heard, ended, emit } = this.#options;
    const forked = cluster.fork();
    let why: string | null = null;
    const kill = (because: string) => {
      why ??= because;
      forked.process.kill('SIGKILL');
    };
    const worker: Worker = {
      number,
      pid: forked.process.pid ?? 0,
      orders: orders(number, isLenient),
      since: null,
      states: null,
      metrics: null,
      send(message) {
        // Kill a worker that can't receive a message, because the message may be an invalidation, for example.
        forked.send(message, (error) => {
          if (error) kill('it could not be told something');
        });
      },
      kill: () => kill('it was silent for too long'),
      isDead: () => forked.isDead(),
    };
    this.#workers.add(worker);
    forked.on('error', (error) => kill(error.message));
    forked.on('message', (message: FromWorker) => {
      if (!('did' in message) || 'round' in message) {
        heard(worker, message);
      } else if (message.did === 'listen') {
        worker.send(this.#stopped === null ? { ask: 'start', orders: worker.orders } : { ask: 'stop' });
      } else {
        worker.since = performance.now();
        emit({ on: 'worker started', worker: number, pid: worker.pid });
        up({ port: message.port });
      }
    });
    forked.on('exit', (code, signal) => {
      this.#workers.delete(worker);
      ended(worker);
      const isReplaced = this.#stopped === null && (isLenient || worker.since !== null);
      up({ code: code ?? 1 });
      if (isReplaced) this.#replace(worker, why ?? (signal ? `signal ${signal}` : `exit code ${code}`));
      if (this.#workers.size === 0) this.#stopped?.();
    });
  }

  #replace({ number, pid, since }: Worker, why: string): void {
    const isStable = since !== null && performance.now() - since > stableAfterMs;
    const backoff = isStable ? null : (this.#backoffs.get(number) ?? new Backoff(100, 30_000));
    if (backoff === null) this.#backoffs.delete(number);
    else this.#backoffs.set(number, backoff);
    const again = backoff?.next() ?? 0;
    this.#options.emit({ on: 'worker ended', worker: number, pid, why, again });
    setTimeout(() => {
      if (this.#stopped === null) this.#start(number, true, () => undefined);
    }, again);
  }
}
