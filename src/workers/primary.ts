import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { healthOf, mergeStates, type States } from '../app/health.ts';
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

/** Settings, the texts of their files, and for how many milliseconds reading them blocked the event loop. */
export interface ConfigurationSource {
  readonly settings: Settings;
  readonly texts: Texts;
  readonly blockedMs: number;
}

export interface ServingWorkers extends Running<ConfigurationSource> {
  /** Ends all workers at once. */
  kill(): void;
}

/** A worker that does not respond for this many milliseconds is killed: it would not learn that its cache is stale (docs/caching.md). */
const silenceTimeoutMs = 1000;
/** The most milliseconds that are added to `silenceTimeoutMs` while workers read a configuration. */
const maxReadingMs = 60_000;
/** Milliseconds for which a reload waits for a worker that can check the configuration. */
const memberTimeoutMs = 20_000;
/** Milliseconds that workers get beyond `drainTimeout` to close their connections to databases. */
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
};

/**
 * Serves with several worker processes: starts them, replaces those that die, and is the hub of their bus.
 * @returns the exit code if the first worker could not start, which has logged why
 */
export async function serveMany(first: ConfigurationSource, workers: number): Promise<ServingWorkers | number> {
  const tell = log(first.settings.log, null);
  const own = new Metrics({ levels: () => noLevels, states: async () => ({}) });
  const departed = new EndedProcesses();
  const emit: Emit = (event) => {
    own.emit(event);
    tell(event);
  };
  const secret = randomBytes(32).toString('hex');
  const names = namesInThread(emit);
  const rounds = new Rounds<Worker>();
  /** The current timeout: longer during a reload, when all workers may be busy reading a configuration of thousands of resources. */
  let silenceLimitMs = silenceTimeoutMs;
  const hub = new Hub<Worker>(() => ({ answerTimeoutMs: silenceLimitMs, statementsEndMs: longest }));
  let source = first;
  // The longest timeout of all configurations so far: calls keep the timeouts of the configuration with which they began.
  let longest = longestStatement(first.settings);
  /** The queue of reloads and joins, which run one at a time: a worker either takes part in a reload, or joins after it. */
  let turn: Promise<unknown> = Promise.resolve();
  let complaints: readonly string[] = [];
  const states = new Map<Worker, States>();
  /** The metrics of each worker when it was last asked. */
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
  /** Sends a round of messages whose work may take long, and waits for all replies. Meanwhile, pings end a worker that hangs. */
  const patiently = async (
    members: readonly Worker[],
    send: (worker: Worker, round: number) => void,
  ): Promise<void> => {
    const pings = setInterval(() => void hub.ping(), silenceTimeoutMs);
    await rounds.ask(members, null, send).finally(() => clearInterval(pings));
  };
  /**
   * Lets a worker join the bus. If the configuration was reloaded during its start, it takes over the new texts before it listens,
   * because the old ones may grant rights that are revoked. We do not restart it: frequent reloads would then end every new worker.
   */
  const join = (worker: Worker): void => {
    // A dead worker would never leave the hub, and each write would wait for it.
    if (worker.isDead()) return;
    if (worker.orders.texts !== source.texts) worker.send({ ask: 'renew', texts: source.texts });
    hub.join(worker);
  };
  const needRestart = needsRestart(first.settings);
  const refused = ({ complaints }: InvalidConfiguration) => {
    emit({ on: 'configuration not taken over', complaints });
    return complaints;
  };
  /** Resolves when the hub has a member, or on timeout. */
  const someWorker = async (): Promise<void> => {
    const due = performance.now() + memberTimeoutMs;
    while (hub.members.size === 0 && performance.now() < due) await sleep(20);
  };
  const reload = async (next: ConfigurationSource): Promise<readonly string[]> => {
    silenceLimitMs = silenceTimeoutMs + Math.min(4 * workers * next.blockedMs, maxReadingMs);
    return adopt(next).finally(() => {
      silenceLimitMs = silenceTimeoutMs;
    });
  };
  const adopt = async (next: ConfigurationSource): Promise<readonly string[]> => {
    const members = [...hub.members];
    complaints = [];
    await patiently(members, (worker, round) => worker.send({ ask: 'prepare', round, texts: next.texts }));
    const remaining = members.filter((worker) => hub.members.has(worker));
    if (complaints.length > 0) {
      for (const worker of remaining) worker.send({ ask: 'drop' });
      return refused({ complaints });
    }
    if (remaining.length === 0) return refused(unchecked);
    source = next;
    longest = Math.max(longest, longestStatement(next.settings));
    await rounds.ask(remaining, silenceLimitMs, (worker, round) => worker.send({ ask: 'adopt', round }));
    const resources = next.settings.resources.size;
    emit({ on: 'reloaded', resources, needRestart: needRestart(next.settings) });
    return [];
  };
  const supervisor = new Supervisor({
    emit,
    orders: (number, isLenient) => ({
      ...{ number, workers, secret, isLenient, texts: source.texts },
      first: source === first ? null : first.texts,
    }),
    heard,
    ended(worker) {
      hub.leave(worker);
      rounds.memberEnded(worker);
      departed.add(shown.get(worker) ?? []);
      shown.delete(worker);
      states.delete(worker);
    },
  });

  /** Asks all serving workers, after a ping that ends workers that hang. */
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
      return healthOf(mergeStates(known(members, states)), { serving, configured: workers }, draining);
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
      // Ping first, to end a hanging worker: it would delay the reload of all others.
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
      await supervisor.stop(source.settings.server.drainDelay + graceMs + closeTimeoutMs);
      names.close();
      admin.close();
      emit({ on: 'stopped' });
    },
    kill: () => supervisor.kill(),
  };
}
