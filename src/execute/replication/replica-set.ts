import type { Position, Replication } from '../../model/replication.ts';
import type { CallSessions } from '../connection/call-sessions.ts';
import type { Database } from '../connection/database.ts';
import type { Spent } from '../connection/meter.ts';
import { dump, type Piece } from '../dump/dump.ts';
import { PrimaryLog } from './primary-log.ts';
import { Replica } from './replica.ts';

/** Milliseconds in which no replica is tried for a resource that one of them cannot read. */
const pause = 1000;

export interface ReplicaSetOptions {
  readonly primary: Database;
  readonly replication: Replication;
  /** Milliseconds. */
  readonly maxLag: number;
  /** As in `ReplicaOptions`, with the index of the replica. */
  report(nth: number, why: string | null, cause: unknown): void;
  /** As in `ReplicaOptions`. */
  strayed(): void;
}

/** Where a read was answered: the index of a replica, or by the primary. */
export type Server = number | 'primary';

/** A read, as it is run on one server; a second call replaces what the first one has made. */
export interface ReadAnywhere<T> {
  /** The resource: while a replica cannot read it, the primary does. */
  readonly resource: string;
  /** The read shows every commit that a client knew of at this moment, by `performance.now()`. */
  readonly since: number;
  readonly spent: Spent;
  readonly gone: AbortSignal;
  work(sessions: CallSessions, gone: AbortSignal): Promise<T>;
  /**
   * What an error of a replica means: it is the answer, or the primary may have another one, now or for some time. (A client must
   * not be able to keep the reads of others from the replicas by a question that fails.)
   */
  judge(error: unknown): 'final' | 'ask the primary' | 'leave it to the primary';
}

/** A primary with its read replicas. */
export class ReplicaSet {
  readonly #primary: Database;
  readonly #log: PrimaryLog;
  readonly #replicas: readonly Replica[];
  #turn = 0;
  /** Until when each resource is read on the primary alone. */
  readonly #untilRead = new Map<string, number>();

  constructor({ primary, replication, maxLag, report, strayed }: ReplicaSetOptions) {
    this.#primary = primary;
    const ask = async () => {
      const [answer] = await primary.sampler.inspect([{ text: replication.primaryQuery, values: [] }]);
      if (answer === undefined) throw new Error('no answer');
      return replication.position(answer);
    };
    this.#log = new PrimaryLog(ask);
    this.#replicas = primary.replicas.map(
      (database, nth) =>
        new Replica({
          ...{ database, replication, primary: this.#log, maxLag, strayed },
          report: (why, cause) => report(nth, why, cause),
        }),
    );
  }

  /**
   * Reads on the least used replica that has reached the position. Without one, or if the read fails there, on the primary.
   * @param on called with each server on which it is tried, before it is
   */
  async read<T>(
    { resource, since, spent, gone, work, judge }: ReadAnywhere<T>,
    on: (server: Server) => void,
  ): Promise<T> {
    // One that is not that far is left alone for a moment, so the next choice is another.
    for (let tries = this.#replicas.length; tries > 0; tries--) {
      const nth = this.#choose(resource);
      const replica = this.#replicas[nth];
      if (replica === undefined || this.#isOverfull(nth)) break;
      const position = await this.#positionAt(since);
      if (position === null) break;
      on(nth);
      try {
        return await replica.read(position, spent, gone, work);
      } catch (error) {
        gone.throwIfAborted();
        this.#failed(resource, judge(error), error);
      }
    }
    on('primary');
    return work(this.#primary.metered(spent), gone);
  }

  /** The same for a download. After its first piece an error ends it. */
  async *dump(
    { resource, since, judge }: Pick<ReadAnywhere<unknown>, 'resource' | 'since' | 'judge'>,
    [dialect, plan, wanted, signal]: DumpArguments,
    on: (server: Server) => void,
  ): AsyncGenerator<Piece, void> {
    const nth = this.#choose(resource);
    const replica = this.#replicas[nth];
    const database = this.#primary.replicas[nth];
    if (replica !== undefined && database !== undefined) {
      let isBegun = false;
      const position = await this.#positionAt(since);
      try {
        if (position !== null) {
          const pieces = replica.stream(position, signal, (streams, gone) =>
            dump({ streams, use: database.use }, dialect, plan, wanted, gone),
          );
          for await (const piece of pieces) {
            if (!isBegun) on(nth);
            isBegun = true;
            yield piece;
          }
          if (!isBegun) on(nth);
          return;
        }
      } catch (error) {
        signal.throwIfAborted();
        this.#failed(resource, isBegun ? 'final' : judge(error), error);
      }
    }
    on('primary');
    yield* dump(this.#primary, dialect, plan, wanted, signal);
  }

  /** Whether a read would wait for a connection of this replica, but not for one of the primary. */
  #isOverfull(nth: number): boolean {
    const isFull = (database: Database | undefined) => {
      const { used = 0, max = 0 } = database?.usage().calls ?? {};
      return used >= max;
    };
    return isFull(this.#primary.replicas[nth]) && !isFull(this.#primary);
  }

  /** Throws a final error. What a replica lacks, a table or a right, it will lack a moment later, too. */
  #failed(resource: string, verdict: ReturnType<ReadAnywhere<unknown>['judge']>, error: unknown): void {
    if (verdict === 'final') throw error;
    if (verdict === 'leave it to the primary') this.#untilRead.set(resource, performance.now() + pause);
  }

  /** Null where the primary does not say: it may answer the read all the same. */
  #positionAt(moment: number): Promise<Position | null> {
    return this.#log.since(moment).catch(() => null);
  }

  /** The index of a usable replica on which the fewest reads run, in turn; -1: none is. */
  #choose(resource: string): number {
    if (performance.now() < (this.#untilRead.get(resource) ?? 0)) return -1;
    const { length } = this.#replicas;
    this.#turn++;
    let best = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (let step = 0; step < length; step++) {
      const nth = (this.#turn + step) % length;
      const replica = this.#replicas[nth];
      if (replica === undefined || !replica.isUsable || replica.running >= fewest) continue;
      best = nth;
      fewest = replica.running;
    }
    return best;
  }
}

type DumpArguments = readonly [
  dialect: Parameters<typeof dump>[1],
  plan: Parameters<typeof dump>[2],
  wanted: Parameters<typeof dump>[3],
  signal: AbortSignal,
];
