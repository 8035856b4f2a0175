import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { healthOf, mergeStates } from '../app/health.ts';
import type { ToHub } from '../cache/buses/hub.ts';
import type { ChangeFeed } from '../changes/log/names.ts';
import { namesInThread } from '../changes/log/names-in-thread.ts';
import { listenError } from '../commands/listen-error.ts';
import type { InvalidConfiguration, Running } from '../commands/serve.ts';
import type { Settings } from '../config/assemble.ts';
import { needsRestart } from '../config/restart.ts';
import { longestStatement } from '../config/share.ts';
import type { Texts } from '../config/texts.ts';
import type { Emit } from '../model/events.ts';
import { urlOf } from '../values/http-url.ts';
import { type Health, openAdmin } from '../watch/admin.ts';
import { log } from '../watch/log.ts';
import { Metrics } from '../watch/metrics.ts';
import { text } from '../watch/sum.ts';
import type { AskNames, WorkerReply } from './messages.ts';
import { Supervisor, type Worker } from './supervisor.ts';
import { silenceTimeoutMs, WorkerGroup } from './worker-group.ts';

/** Settings, their files' texts, and how long reading them blocked the event loop, in milliseconds. */
export interface ConfigurationSource {
  readonly settings: Settings;
  readonly texts: Texts;
  readonly blockedMs: number;
}

export interface ServingWorkers extends Running<ConfigurationSource> {
  /** Ends all workers at once. */
  kill(): void;
}

/** The most milliseconds that `silenceTimeoutMs` is extended by while workers read a configuration. */
const maxReadingMs = 60_000;
/** How many milliseconds a reload waits for a worker that can check the configuration. */
const memberTimeoutMs = 20_000;
/** How many milliseconds workers get beyond `drainTimeout` to close their database connections. */
const closeTimeoutMs = 3000;
const unchecked: InvalidConfiguration = {
  complaints: ['the configuration was not checked, as no worker serves; send SIGHUP again'],
};
/** The primary's own metrics: it has no cache and no connections. */
const noLevels = {
  cache: { entries: 0, bytes: 0, maxBytes: 0 },
  pools: [],
  workers: 0,
  connections: 0,
  incomingBytes: 0,
  subscribers: 0,
  spoolBytes: 0,
  keyAges: new Map(),
};

/**
 * Runs the gateway with several worker processes: starts them, replaces those that die, and is the hub of their bus.
 * @returns the exit code if the first worker could not start; that worker has logged why
 */
export async function serveMany(first: ConfigurationSource, workers: number): Promise<ServingWorkers | number> {
  const { settings } = first;
  const logEvent = log(settings.log, null);
  const metrics = new Metrics({ levels: () => noLevels, states: async () => ({}) });
  const emit: Emit = (event) => {
    metrics.emit(event);
    logEvent(event);
  };
  const primary = new Primary(first, workers, emit);
  const { supervisor, group } = primary;

  const started = await supervisor.first(1);
  if ('code' in started) return started.code;
  const { port } = started;
  const admin = await openAdmin(settings.admin, {
    live: () => group.ping(),
    health: () => primary.health(),
    metrics: async () => text([await metrics.show(), ...(await group.metrics())]),
  }).catch((error: unknown) => {
    supervisor.kill();
    throw settings.admin === null ? error : listenError(error, 'admin', settings.admin);
  });
  primary.startOthers().then(() =>
    emit({
      on: 'started',
      address: urlOf({ host: settings.server.host, port }),
      admin: admin.address,
      resources: settings.resources.size,
      workers,
    }),
  );
  return {
    port,
    reload: (next) => primary.reload(next),
    async close(graceMs) {
      await primary.close(graceMs);
      admin.close();
      emit({ on: 'stopped' });
    },
    kill: () => supervisor.kill(),
  };
}

/** Directs the workers: starts, reloads and ends them. */
class Primary {
  readonly group: WorkerGroup;
  readonly supervisor: Supervisor;
  readonly #workerCount: number;
  readonly #emit: Emit;
  readonly #changeFeed: ChangeFeed;
  readonly #needsRestart: ReturnType<typeof needsRestart>;
  /** The current configuration. */
  #source: ConfigurationSource;
  /** The longest timeout in any configuration so far, because a call keeps the timeout from the configuration it began with. */
  #longestStatementMs: number;
  /** Queues reloads and joins, which run one at a time: a worker either takes part in a reload, or joins after it. */
  #turn: Promise<unknown> = Promise.resolve();
  #isDraining = false;

  constructor(first: ConfigurationSource, workers: number, emit: Emit) {
    this.#source = first;
    this.#workerCount = workers;
    this.#emit = emit;
    this.#changeFeed = namesInThread(emit);
    this.#needsRestart = needsRestart(first.settings);
    this.#longestStatementMs = longestStatement(first.settings);
    this.group = new WorkerGroup(() => this.#longestStatementMs);
    const secret = randomBytes(32).toString('hex');
    this.supervisor = new Supervisor({
      emit,
      orders: (number, isLenient) => ({
        ...{ number, workers, secret, isLenient, texts: this.#source.texts },
        first: this.#source === first ? null : first.texts,
      }),
      heard: (worker, message) => this.#heard(worker, message),
      ended: (worker) => this.group.ended(worker),
    });
  }

  /** Starts the other workers. Resolves when each of them is serving or has ended. */
  async startOthers(): Promise<void> {
    await Promise.all(Array.from({ length: this.#workerCount - 1 }, (_, i) => this.supervisor.start(i + 2)));
  }

  async health(): Promise<Health> {
    const members = await this.group.ask('states');
    const states = members.map((worker) => worker.states).filter((it) => it !== null);
    const serving = members.filter(({ since }) => since !== null).length;
    return healthOf(mergeStates(states), { serving, configured: this.#workerCount }, this.#isDraining);
  }

  async reload(next: ConfigurationSource | InvalidConfiguration): Promise<readonly string[]> {
    if ('complaints' in next) return this.#refuse(next);
    // Ping first, so that a hanging worker is killed: it would delay the reload of all others.
    await this.group.ping();
    await this.#someMember();
    const reloaded = this.#turn.then(() => this.#reloadAll(next));
    // A reload that fails must not keep all later workers from joining.
    this.#turn = reloaded.catch(() => undefined);
    return reloaded;
  }

  async close(graceMs = this.#source.settings.server.drainTimeout): Promise<void> {
    this.#isDraining = true;
    this.#emit({ on: 'draining', milliseconds: graceMs });
    await this.supervisor.stop(this.#source.settings.server.drainDelay + graceMs + closeTimeoutMs);
    this.#changeFeed.close();
  }

  #heard(worker: Worker, message: ToHub | WorkerReply | AskNames): void {
    if ('name' in message) {
      const { name, source, question } = message;
      this.#changeFeed.tablesOf(source, question).then((tables) => worker.send({ named: name, tables }));
    } else if ('bus' in message && message.bus === 'join') this.#turn = this.#turn.then(() => this.#join(worker));
    else this.group.heard(worker, message);
  }

  /**
   * Lets a worker join the bus. If the configuration was reloaded while the worker started, it takes over the new texts before it listens,
   * because the old ones may grant rights that are now revoked. We do not restart it: frequent reloads would then end every new worker.
   */
  #join(worker: Worker): void {
    // A dead worker would never leave the hub, and each write would wait for it.
    if (worker.isDead()) return;
    const { texts } = this.#source;
    if (worker.orders.texts !== texts) worker.send({ ask: 'renew', texts });
    this.group.join(worker);
  }

  /** Resolves when the group has a member, or on timeout. */
  async #someMember(): Promise<void> {
    const due = performance.now() + memberTimeoutMs;
    while (this.group.members.length === 0 && performance.now() < due) await sleep(20);
  }

  async #reloadAll(next: ConfigurationSource): Promise<readonly string[]> {
    const group = this.group;
    group.silenceLimitMs = silenceTimeoutMs + Math.min(4 * this.#workerCount * next.blockedMs, maxReadingMs);
    try {
      return await this.#adopt(next);
    } finally {
      group.silenceLimitMs = silenceTimeoutMs;
    }
  }

  /** Adopts a configuration once all workers have checked it. */
  async #adopt(next: ConfigurationSource): Promise<readonly string[]> {
    const { members, complaints } = await this.group.prepare(next.texts);
    if (complaints.length > 0) {
      for (const worker of members) worker.send({ ask: 'drop' });
      return this.#refuse({ complaints });
    }
    if (members.length === 0) return this.#refuse(unchecked);
    this.#source = next;
    this.#longestStatementMs = Math.max(this.#longestStatementMs, longestStatement(next.settings));
    await this.group.adopt(members);
    const resources = next.settings.resources.size;
    this.#emit({ on: 'reloaded', resources, needRestart: this.#needsRestart(next.settings) });
    return [];
  }

  #refuse({ complaints }: InvalidConfiguration): readonly string[] {
    this.#emit({ on: 'configuration not taken over', complaints });
    return complaints;
  }
}
