import { randomBytes } from 'node:crypto';
import { Hub, type ToHub } from '../../cache/buses/hub.ts';
import { Rounds } from '../../cache/buses/rounds.ts';
import { log } from '../../watch/log.ts';
import type { Settings } from '../assemble.ts';
import type { Texts } from '../texts.ts';
import { Crew, type Worker } from './crew.ts';
import type { Answer } from './orders.ts';
import type { Running } from './serve.ts';

/** Settings, and the texts that they were read from. */
export interface Source {
  readonly settings: Settings;
  readonly texts: Texts;
}

export interface Many extends Running<Source> {
  /** Ends all workers at once. */
  kill(): void;
}

/** Milliseconds for which a worker may be silent before it is ended (design part 7). */
const silence = 1000;

/**
 * Serves with several processes: starts them, replaces those that die, and is the hub of their bus.
 * @returns the exit code where the first worker could not start: it has said why
 */
export async function serveMany(first: Source, workers: number): Promise<Many | number> {
  const emit = log(first.settings.log, null);
  const secret = randomBytes(32).toString('hex');
  const rounds = new Rounds<Worker>();
  const hub = new Hub<Worker>(() => ({ silence, aftermath: longestStatement(source.settings) }));
  let source = first;
  let reloading: Promise<unknown> = Promise.resolve();
  let complaints: readonly string[] = [];

  const heard = (worker: Worker, message: ToHub | Answer): void => {
    if ('bus' in message) {
      if (message.bus === 'join') reloading.then(() => join(worker));
      else hub.hear(worker, message);
    } else {
      if (message.did === 'prepare' && message.complaints.length > 0) complaints = message.complaints;
      rounds.answered(worker, message.round);
    }
  };
  /** Who started before a reload and joins after it would still grant what that has revoked. */
  const join = (worker: Worker): void => {
    if (worker.orders.texts === source.texts) hub.join(worker);
    else worker.outdate();
  };
  const reload = async (next: Source): Promise<readonly string[]> => {
    // One that hangs would let all others wait for its word.
    await hub.ping();
    const members = [...hub.members];
    complaints = [];
    await rounds.ask(members, null, (worker, round) => worker.send({ ask: 'prepare', round, texts: next.texts }));
    const left = members.filter((worker) => hub.members.has(worker));
    if (complaints.length > 0) {
      for (const worker of left) worker.send({ ask: 'drop' });
      return complaints;
    }
    source = next;
    await rounds.ask(left, silence, (worker, round) => worker.send({ ask: 'adopt', round }));
    emit({ on: 'reloaded', resources: next.settings.resources.size });
    return [];
  };
  const crew = new Crew({
    emit,
    orders: (number, lenient) => ({ texts: source.texts, number, workers, secret, lenient }),
    heard,
    ended(worker) {
      hub.leave(worker);
      rounds.gone(worker);
    },
  });

  const begun = await crew.first(1);
  if ('code' in begun) return begun.code;
  const { port } = begun;
  const { server, resources } = first.settings;
  const others = Array.from({ length: workers - 1 }, (_, i) => crew.start(i + 2));
  const started = () =>
    emit({ on: 'started', address: `http://${server.host}:${port}`, resources: resources.size, workers });
  Promise.all(others).then(started);

  return {
    port,
    reload(next) {
      const reloaded = reload(next);
      reloading = reloaded;
      return reloaded;
    },
    async close(graceMs = 10_000) {
      await crew.stop(graceMs + 2000);
      emit({ on: 'stopped' });
    },
    kill: () => crew.kill(),
  };
}

function longestStatement({ databases }: Settings): number {
  const limits = [...databases.values()].map((it) => (it.client === 'pglite' ? 0 : it.statementTimeout));
  return Math.max(...limits);
}
