import { setTimeout as sleep } from 'node:timers/promises';
import type { Position, ReplicaState, Replication } from '../../model/replication.ts';
import type { Statement } from '../../model/rows.ts';
import type { CallSessions } from '../connection/call-sessions.ts';
import type { Database } from '../connection/database.ts';
import type { Spent } from '../connection/meter.ts';
import { StatementTimeout } from '../connection/session.ts';
import type { Streams } from '../dump/streams.ts';
import { hasReached, strays } from './compare.ts';
import type { PrimaryLog } from './primary-log.ts';
import { type Ask, isWithin, NotOnReplica, noPosition, Silent, silence, stateOf, straysNow } from './replica-state.ts';
import { RunningReads } from './running-reads.ts';

/** Milliseconds that a read waits for a replica to reach its position: a usual replica is a few behind. */
const patience = 20;
/** Milliseconds between two looks, and for which a replica gets no reads after it was too late once. */
const pause = 2;
const rest = 100;
/** Milliseconds for which a session is known to be one with a replica. */
const trusted = 500;
/** Milliseconds between two probes, while reads ask for it, and after the last read. */
const probeEvery = 1000;
/** Milliseconds by which a replica is behind when it is said to be lost, whatever `maxLag` is. */
const lost = 2000;

export interface ReplicaOptions {
  readonly database: Database;
  readonly replication: Replication;
  readonly primary: PrimaryLog;
  /** Milliseconds. */
  readonly maxLag: number;
  /** Called when it stops to answer reads, with the reason, and when it begins to (null). */
  report(why: string | null, cause: unknown): void;
  /** Called when it is found to be no replica, where it has answered reads since it was last known to be one. */
  strayed(): void;
}

/**
 * A read replica. It answers nothing before a probe has shown that it follows its primary. Each session asks its server for its
 * position before it reads. Behind one address another server may be, or the same one after a crash, with less than before.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  /** Why it answers no reads; null: it does; undefined: it was not asked yet. */
  #why: string | null | undefined = undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  #isProbing = false;
  /** Until when it gets no reads. */
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** The last state of the server of each session, and when it last gave its identity. */
  readonly #seen = new WeakMap<object, { readonly state: ReplicaState; readonly at: number }>();
  /** When the last read was answered, and when it was asked what the last good probe says of it: reads before that are right. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #provedAt = 0;
  #later: NodeJS.Timeout | null = null;
  readonly #running = new RunningReads(() => this.#probe());

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** The number of reads that run on it. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether a read may be tried on it. Probes it in the background: without reads there are no probes. */
  get isUsable(): boolean {
    const now = performance.now();
    if (now - this.#probedAt >= probeEvery) this.#probe();
    return this.#why === null && now >= this.#restsUntil;
  }

  /**
   * Runs a read on it.
   * @param position that it has to show
   * @param work gets its sessions, and a signal that is aborted with `gone`, and when the replica does not respond
   * @throws NotOnReplica where it has not reached the position, is no replica, or does not respond; else the errors of `work`
   */
  async read<T>(
    position: Position,
    spent: Spent,
    gone: AbortSignal,
    work: (sessions: CallSessions, gone: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const sessions = this.#options.database.metered(spent);
    const checked: CallSessions = {
      ...sessions,
      use: (read, left) =>
        sessions.use(async (session) => {
          const run = (statement: Statement) => session.run(statement);
          await this.#admit(session.connection, run, position).catch((error: unknown) => {
            // Its statement still runs.
            if (error instanceof Silent) session.discard();
            throw error;
          });
          return read(session);
        }, left),
    };
    gone.throwIfAborted();
    let stop: (why: Error) => void = () => undefined;
    const silent = new Promise<never>((_, reject) => {
      stop = reject;
    });
    const { left, end } = this.#running.begin(gone, stop);
    try {
      const result = await Promise.race([work(checked, left), silent]);
      this.#answeredAt = performance.now();
      this.#probeLater();
      return result;
    } catch (error) {
      // The replica may be the reason: the next read need not find that out. Mistakes of clients need no probe each.
      if (performance.now() - this.#probedAt >= rest) this.#probe();
      throw error;
    } finally {
      end();
    }
  }

  /** The same for a download, whose sessions throw as `read` does. */
  async *stream<T>(
    position: Position,
    gone: AbortSignal,
    work: (streams: Streams | null, gone: AbortSignal) => AsyncIterable<T>,
  ): AsyncGenerator<T, void> {
    const { streams } = this.#options.database;
    gone.throwIfAborted();
    const { left, end } = this.#running.begin(gone, () => undefined);
    try {
      yield* work(streams?.after((connection, run) => this.#admit(connection, run, position)) ?? null, left);
    } finally {
      end();
    }
  }

  /** Waits a moment until the server of a session shows a position, and has nothing that the primary lacks. */
  async #admit(connection: object, run: Ask, position: Position): Promise<void> {
    const { replication, primary } = this.#options;
    const began = performance.now();
    for (let isFirst = true; ; isFirst = false) {
      const now = performance.now();
      const before = this.#seen.get(connection);
      const known = before !== undefined && now - before.at < trusted ? before : null;
      const isKnownThere = isFirst && known !== null && hasReached(replication, known.state, position);
      if (isKnownThere && isWithin(replication, primary, known.state, position)) return;
      const state = await stateOf(replication, run, known?.state ?? null).catch((error: unknown) => {
        if (error instanceof Silent) this.#set(error.message, error);
        // The question took too long, not the read.
        throw error instanceof StatementTimeout ? new NotOnReplica(error.message, { cause: error }) : error;
      });
      this.#seen.set(connection, { state, at: known?.at ?? now });
      const isThere = hasReached(replication, state, position);
      if (isThere && isWithin(replication, primary, state, position)) return;
      const why = isThere ? await straysNow(replication, primary, state) : whyNone(state);
      if (why !== null) {
        if (why === noPosition) this.#set(why);
        else this.#stray(why);
        throw new NotOnReplica(why);
      }
      if (isThere) return;
      if (performance.now() - began >= patience) {
        this.#restsUntil = performance.now() + rest;
        throw new NotOnReplica('it is behind');
      }
      await sleep(pause);
    }
  }

  /** The cache keeps the answers of the last reads for longer than there are reads. */
  #probeLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = null;
      if (this.#isProbing) this.#probeLater();
      else if (this.#answeredAt >= this.#provedAt) this.#probe();
    }, probeEvery).unref();
  }

  #probe(): void {
    if (this.#isProbing || this.#options.database.isClosed) return;
    this.#isProbing = true;
    this.#probedAt = performance.now();
    this.#probed()
      // Where its primary cannot be asked, its state stays.
      .catch(() => undefined)
      .finally(() => {
        this.#isProbing = false;
      });
  }

  async #probed(): Promise<void> {
    const { database, replication, primary, maxLag } = this.#options;
    const run = async (statement: Statement) => {
      const [answer] = await database.sampler.inspect([statement]);
      if (answer === undefined) throw new Error('no answer');
      return answer;
    };
    const asked = performance.now();
    const state = await stateOf(replication, run, null).catch((cause: unknown) => {
      this.#set(cause instanceof Silent ? cause.message : 'it cannot be asked', cause);
      throw cause;
    });
    // Asked after the state: the primary has by then every commit that the replica has.
    const position = await primary.since(performance.now());
    if (position === null) return this.#set(noPosition);
    const lag = primary.lagOf((one) => hasReached(replication, state, one));
    const far = lag > Math.max(maxLag, lost) ? `it is ${Math.round(lag / 100) / 10} s behind` : null;
    const why = strays(replication, state, position);
    if (why !== null) return this.#stray(why);
    this.#provedAt = asked;
    this.#set(far);
  }

  /** What it has answered since the last good probe may not be of its primary. */
  #stray(why: string): void {
    this.#set(why);
    if (this.#answeredAt < this.#provedAt) return;
    this.#provedAt = performance.now();
    this.#options.strayed();
  }

  /** @param cause where it did not respond */
  #set(why: string | null, cause?: unknown): void {
    if (cause !== undefined) this.#running.endAll(new NotOnReplica(silence));
    const before = this.#why;
    this.#why = why;
    const isNews = before === undefined || (before === null) !== (why === null);
    if (isNews) this.#options.report(why, cause);
  }
}

const whyNone = (state: ReplicaState): string | null => (state.isReplica ? null : state.why);
