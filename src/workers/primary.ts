import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { healthOf, type States, together } from '../app/health.ts';
import { Hub, type ToHub } from '../cache/buses/hub.ts';
import { Rounds } from '../cache/buses/rounds.ts';
import { namesInThread } from '../changes/log/names-in-thread.ts';
import { listenError } from '../commands/listen-error.ts';
import type { InvalidConfiguration, Running } from '../commands/serve.ts';
import type { Settings } from '../config/assemble.ts';
import { needsRestart } from '../config/restart.ts';
import { longestStatement } from '../config/share.ts';
import type { Texts } from '../config/texts.ts';
import type { Emit } from '../model/events.ts';
import { urlOf } from '../values/http-url.ts';
import { openAdmin } from '../watch/admin.ts';
import { log } from '../watch/log.ts';
import { Metrics, type MetricValues } from '../watch/metrics.ts';
import { EndedProcesses, text } from '../watch/sum.ts';
import type { AskNames, WorkerReply } from './messages.ts';
import { Supervisor, type Worker } from './supervisor.ts';

/** Settings, the texts of the files they were read from, and the milliseconds for which that held the event loop. */
export interface ConfigurationSource {
  readonly settings: Settings;
  readonly texts: Texts;
  readonly took: number;
}

export interface ServingWorkers extends Running<ConfigurationSource> {
  /** Ends all workers at once. */
  kill(): void;
}

/** Milliseconds for which a worker may be silent before it is killed (docs/caching.md). */
const silence = 1000;
/** Milliseconds that the silence may last longer while workers read a configuration. */
const longestReading = 60_000;
/** Milliseconds for which a reload waits for a worker that can check the configuration. */
const patience = 20_000;
/** Milliseconds beyond `drainTimeout` for workers to close their connections to databases. */
const aftermath = 3000;
const unchecked: InvalidConfiguration = {
  complaints: ['the configuration was not checked, as no worker serves; send SIGHUP again'],
};
/** The primary has no cache and no connections. */
const nothing = {
  cache: { entries: 0, bytes: 0, maxBytes: 0 },
  pools: [],
  workers: 0,
  connections: 0,
  incomingBytes: 0,
  subscribers: 0,
  spoolBytes: 0,
};

/**
 * Serves with several processes: starts them, replaces those that die, and is the hub of their bus.
 * @returns the exit code where the first worker could not start: that worker has logged why
 */
export async function serveMany(first: ConfigurationSource, workers: number): Promise<ServingWorkers | number> {
  const tell = log(first.settings.log, null);
  const own = new Metrics({ levels: () => nothing, states: async () => ({}) });
  const departed = new EndedProcesses();
  const emit: Emit = (event) => {
    own.emit(event);
    tell(event);
  };
  const secret = randomBytes(32).toString('hex');
  const names = namesInThread(emit);
  const rounds = new Rounds<Worker>();
  /** Workers that read a configuration with thousands of resources are silent, all at once, and share the cores. */
  let silent = silence;
  const hub = new Hub<Worker>(() => ({ silence: silent, aftermath: longest }));
  let source = first;
  // Calls go on with the time limits of the configuration in which they began.
  let longest = longestStatement(first.settings);
  /** Reloads and joins, one at a time: a worker takes part in a reload or joins after it. */
  let turn: Promise<unknown> = Promise.resolve();
  let complaints: readonly string[] = [];
  const states = new Map<Worker, States>();
  /** The counters of each worker when it was last asked. */
  const shown = new Map<Worker, MetricValues>();
  let draining = false;

  const heard = (worker: Worker, message: ToHub | WorkerReply | AskNames): void => {
    if ('bus' in message) {
      if (message.bus === 'join') turn = turn.then(() => join(worker));
      else hub.onMessage(worker, message);
    } else if ('name' in message) {
      const { name, source, question } = message;
      names.tablesOf(source, question).then((tables) => worker.send({ named: name, tables }));
    } else {
      if (message.did === 'prepare' && message.complaints.length > 0) complaints = message.complaints;
      if (message.did === 'states') states.set(worker, message.states);
      if (message.did === 'shown') shown.set(worker, message.shown);
      rounds.answered(worker, message.round);
    }
  };
  /** A round whose work may take long. Meanwhile pings end a worker that hangs. */
  const patiently = async (
    members: readonly Worker[],
    send: (worker: Worker, round: number) => void,
  ): Promise<void> => {
    const pings = setInterval(() => void hub.ping(), silence);
    await rounds.ask(members, null, send).finally(() => clearInterval(pings));
  };
  /**
   * A worker may join after a reload that came during its start. It takes over the newer texts before it listens, as the older ones
   * may grant revoked rights. It is not ended for that: fast reloads would end every worker that starts.
   */
  const join = (worker: Worker): void => {
    // Nothing would ever remove it from the hub, and each write would wait for it.
    if (worker.isDead()) return;
    if (worker.orders.texts !== source.texts) worker.send({ ask: 'renew', texts: source.texts });
    hub.join(worker);
  };
  const needRestart = needsRestart(first.settings);
  const refused = ({ complaints }: InvalidConfiguration) => {
    emit({ on: 'configuration not taken over', complaints });
    return complaints;
  };
  /** Resolves when the hub has a member, or had none for too long. */
  const someWorker = async (): Promise<void> => {
    const due = performance.now() + patience;
    while (hub.members.size === 0 && performance.now() < due) await sleep(20);
  };
  const reload = async (next: ConfigurationSource): Promise<readonly string[]> => {
    silent = silence + Math.min(4 * workers * next.took, longestReading);
    return adopt(next).finally(() => {
      silent = silence;
    });
  };
  const adopt = async (next: ConfigurationSource): Promise<readonly string[]> => {
    const members = [...hub.members];
    complaints = [];
    await patiently(members, (worker, round) => worker.send({ ask: 'prepare', round, texts: next.texts }));
    const left = members.filter((worker) => hub.members.has(worker));
    if (complaints.length > 0) {
      for (const worker of left) worker.send({ ask: 'drop' });
      return refused({ complaints });
    }
    if (left.length === 0) return refused(unchecked);
    source = next;
    longest = Math.max(longest, longestStatement(next.settings));
    await rounds.ask(left, silent, (worker, round) => worker.send({ ask: 'adopt', round }));
    const resources = next.settings.resources.size;
    emit({ on: 'reloaded', resources, needRestart: needRestart(next.settings) });
    return [];
  };
  const supervisor = new Supervisor({
    emit,
    orders: (number, lenient) => ({
      ...{ number, workers, secret, lenient, texts: source.texts },
      first: source === first ? null : first.texts,
    }),
    heard,
    ended(worker) {
      hub.leave(worker);
      rounds.gone(worker);
      departed.add(shown.get(worker) ?? []);
      shown.delete(worker);
      states.delete(worker);
    },
  });

  /** Asks all serving workers, after a ping that ends a hanging one. */
  const all = async (ask: 'states' | 'shown'): Promise<readonly Worker[]> => {
    await hub.ping();
    await patiently([...hub.members], (worker, round) => worker.send({ ask, round }));
    return [...hub.members];
  };
  const known = <T>(workers: readonly Worker[], by: ReadonlyMap<Worker, T>): readonly T[] =>
    workers.map((worker) => by.get(worker)).filter((it) => it !== undefined);

  const begun = await supervisor.first(1);
  if ('code' in begun) return begun.code;
  const { port } = begun;
  const admin = await openAdmin(first.settings.admin, {
    live: () => hub.ping(),
    async health() {
      const members = await all('states');
      const serving = members.filter(({ since }) => since !== null).length;
      return healthOf(together(known(members, states)), { serving, configured: workers }, draining);
    },
    async metrics() {
      const members = await all('shown');
      return text([await own.show(), await departed.counted, ...known(members, shown)]);
    },
  }).catch((error: unknown) => {
    supervisor.kill();
    throw first.settings.admin === null ? error : listenError(error, 'admin', first.settings.admin);
  });
  const { server, resources } = first.settings;
  const others = Array.from({ length: workers - 1 }, (_, i) => supervisor.start(i + 2));
  const started = () =>
    emit({
      on: 'started',
      address: urlOf({ host: server.host, port }),
      admin: admin.address,
      resources: resources.size,
      workers,
    });
  Promise.all(others).then(started);

  return {
    port,
    async reload(next) {
      if ('complaints' in next) return refused(next);
      // A hanging worker would delay all others; the ping ends it first.
      await hub.ping();
      await someWorker();
      const reloaded = turn.then(() => reload(next));
      // A reload that fails must not keep all later workers from joining.
      turn = reloaded.catch(() => undefined);
      return reloaded;
    },
    async close(graceMs = source.settings.server.drainTimeout) {
      draining = true;
      emit({ on: 'draining', milliseconds: graceMs });
      await supervisor.stop(source.settings.server.drainDelay + graceMs + aftermath);
      names.close();
      admin.close();
      emit({ on: 'stopped' });
    },
    kill: () => supervisor.kill(),
  };
}
