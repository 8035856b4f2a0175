import { Hub, type ToHub } from '../cache/buses/hub.ts';
import { Rounds } from '../cache/buses/rounds.ts';
import type { Texts } from '../config/texts.ts';
import type { MetricValues } from '../watch/metrics.ts';
import { EndedProcesses } from '../watch/sum.ts';
import type { WorkerReply } from './messages.ts';
import type { Worker } from './supervisor.ts';

/** A worker that does not respond for this many milliseconds is killed: it would not learn that its cache is stale (docs/caching.md). */
export const silenceTimeoutMs = 1000;

/** The workers that have joined the bus. A member that does not answer in time is killed. */
export class WorkerGroup {
  /** The current timeout. It is longer during a reload, when all workers may be busy reading a configuration with thousands of resources. */
  silenceLimitMs = silenceTimeoutMs;
  readonly #hub: Hub<Worker>;
  readonly #rounds = new Rounds<Worker>();
  readonly #departed = new EndedProcesses();
  /** Why workers have refused the current reload's configuration; empty if none has. */
  #complaints: readonly string[] = [];

  /** @param longestStatementMs how long after a worker's death its statements may still run in a database, in milliseconds */
  constructor(longestStatementMs: () => number) {
    this.#hub = new Hub(() => ({ answerTimeoutMs: this.silenceLimitMs, statementsEndMs: longestStatementMs() }));
  }

  get members(): readonly Worker[] {
    return [...this.#hub.members];
  }

  join(worker: Worker): void {
    this.#hub.join(worker);
  }

  /** Call when a worker has ended, whether it had joined or not. */
  ended(worker: Worker): void {
    this.#hub.leave(worker);
    this.#rounds.memberEnded(worker);
    this.#departed.add(worker.metrics ?? []);
  }

  heard(worker: Worker, message: Exclude<ToHub, { bus: 'join' }> | WorkerReply): void {
    if ('bus' in message) {
      this.#hub.onMessage(worker, message);
      return;
    }
    if (message.did === 'prepare' && message.complaints.length > 0) this.#complaints = message.complaints;
    if (message.did === 'states') worker.states = message.states;
    if (message.did === 'shown') worker.metrics = message.shown;
    this.#rounds.answered(worker, message.round);
  }

  /** Resolves when every member has answered or has ended. */
  ping(): Promise<void> {
    return this.#hub.ping();
  }

  /** Asks all members to report. A ping first kills those that hang. Returns the remaining members. */
  async ask(ask: 'states' | 'shown'): Promise<readonly Worker[]> {
    await this.ping();
    await this.#askPatiently(this.members, (worker, round) => worker.send({ ask, round }));
    return this.members;
  }

  /** The metrics of all members, and the counters of workers that have ended. */
  async metrics(): Promise<readonly MetricValues[]> {
    const members = await this.ask('shown');
    return [await this.#departed.counted, ...members.map(({ metrics }) => metrics).filter((it) => it !== null)];
  }

  /** Lets all members check a configuration. Returns the ones that have, and a worker's complaints. */
  async prepare(
    texts: Texts,
  ): Promise<{ readonly members: readonly Worker[]; readonly complaints: readonly string[] }> {
    const members = this.members;
    this.#complaints = [];
    await this.#askPatiently(members, (worker, round) => worker.send({ ask: 'prepare', round, texts }));
    return { members: members.filter((worker) => this.#hub.members.has(worker)), complaints: this.#complaints };
  }

  /** Lets members adopt the configuration that they have checked. */
  adopt(members: readonly Worker[]): Promise<void> {
    return this.#rounds.ask(members, this.silenceLimitMs, (worker, round) => worker.send({ ask: 'adopt', round }));
  }

  /** Asks members for work that may take long, and waits for all replies. Meanwhile, pings kill a worker that hangs. */
  async #askPatiently(members: readonly Worker[], send: (worker: Worker, round: number) => void): Promise<void> {
    const pings = setInterval(() => void this.ping(), silenceTimeoutMs);
    await this.#rounds.ask(members, null, send).finally(() => clearInterval(pings));
  }
}
