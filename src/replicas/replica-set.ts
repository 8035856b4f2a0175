import type { CallSessions } from '../execute/connection/call-sessions.ts';
import type { Database } from '../execute/connection/database.ts';
import { withTimeout } from '../execute/connection/deadline.ts';
import type { Spent } from '../execute/connection/meter.ts';
import { hasReached, type Position, type Replication, whyNotReplica } from '../model/replication.ts';
import type { Answer, Statement } from '../model/rows.ts';
import { PrimaryLog } from './primary-log.ts';

/** How long we wait for a replica to report its position. */
const stateTimeoutMs = 500;
/** How long a replica that has failed gets no reads. */
const restMs = 1000;
/** A replica with a longer lag is reported as lost. */
const maxLagMs = 2000;
const noPosition = 'its primary shows no positions';

/** The replica cannot answer this read; the primary can. */
export class NotOnReplica extends Error {}

type Run = (statement: Statement) => Promise<Answer>;
/** Called when a replica stops answering reads, with the reason and the driver's error, and when it starts again (`why` is null). */
type Report = (nth: number, why: string | null, cause?: unknown) => void;

interface Replica {
  readonly nth: number;
  readonly database: Database;
  /** Why the replica answers no reads; null while it answers them; undefined until a read has tried it. */
  why?: string | null;
  restsUntil: number;
  /** A position that the replica had not reached when a read needed it, and when that was. */
  missing: { readonly position: Position; readonly at: number } | null;
}

/** A primary's read replicas. Each read checks whether its replica can answer, so we need not poll the replicas. */
export class ReplicaSet {
  readonly #replication: Replication;
  readonly #report: Report;
  readonly #log: PrimaryLog;
  readonly #replicas: readonly Replica[];
  #turn = 0;

  constructor(primary: Database, replication: Replication, report: Report) {
    this.#replication = replication;
    this.#report = report;
    this.#log = new PrimaryLog(async () => {
      const [answer] = await primary.sampler.inspect([{ text: replication.primaryQuery, values: [] }]);
      return answer === undefined ? null : replication.position(answer);
    });
    this.#replicas = primary.replicas.map((database, nth) => ({ nth, database, restsUntil: 0, missing: null }));
  }

  /**
   * Chooses the next usable replica, in turn; null if there is none, or the primary does not report its position.
   * @param since the read must show every commit that clients had been told about at this moment, by `performance.now()`
   */
  async choose(since: number, spent: Spent) {
    const now = performance.now();
    const usable = this.#replicas.filter(({ restsUntil, database }) => {
      const { used, max } = database.usage().calls;
      return now >= restsUntil && used < max;
    });
    const replica = usable[this.#turn++ % usable.length];
    if (replica === undefined) return null;
    // Let a single read try whether a lost replica is back, and keep other reads away meanwhile.
    if (replica.why !== null) rest(replica);
    const position = await this.#log.since(since).catch(() => undefined);
    if (position === null) this.#lost(replica, noPosition);
    return position ? this.#chosen(replica, position, spent) : null;
  }

  /** Sessions on a replica. They throw `NotOnReplica` if it has not reached the position. Call `pause` to send it no reads for a while. */
  #chosen(replica: Replica, position: Position, spent: Spent) {
    const { nth, database } = replica;
    const sessions = database.metered(spent);
    const use: CallSessions['use'] = (work, gone) => {
      let isAdmitted = false;
      const read = sessions.use(async (session) => {
        const admit = () => this.#admit(replica, position, session.run, session.discard);
        await admit();
        isAdmitted = true;
        const result = await work(session);
        // Check again: if the replica was promoted during the read, its answer is from another timeline, and the cache would keep it.
        await admit();
        return result;
      }, gone);
      return read.catch((cause: unknown) => {
        gone?.throwIfAborted();
        throw isAdmitted || cause instanceof NotOnReplica ? cause : this.#lost(replica, 'it cannot be asked', cause);
      });
    };
    const streams = database.streams?.after((run) => this.#admit(replica, position, run)) ?? null;
    return { name: `replica ${nth + 1}`, sessions: { ...sessions, use, streams }, pause: () => rest(replica) };
  }

  /**
   * Throws unless a session's server has reached a position, and has no commit that the primary lacks. We check every session, because
   * another server may have taken over the address, or the same one may have lost commits in a crash.
   * @param discard called on a timeout, because the query is still running
   */
  async #admit(replica: Replica, position: Position, run: Run, discard?: () => void): Promise<void> {
    const replication = this.#replication;
    const answer = await withTimeout(run({ text: replication.replicaQuery, values: [] }), stateTimeoutMs, async () => {
      discard?.();
      throw this.#lost(replica, 'it does not respond');
    });
    const state = replication.state(answer);
    const { newest } = this.#log;
    if (newest === null || whyNotReplica(replication, state, newest) !== null) {
      // The replica may only seem ahead because our position is old. If it is ahead of a new one, too, it follows another primary, or none.
      const last = await this.#log.since(performance.now()).catch((cause: unknown) => {
        throw new NotOnReplica('its primary cannot be asked', { cause });
      });
      const why = last === null ? noPosition : whyNotReplica(replication, state, last);
      if (why !== null) throw this.#lost(replica, why);
    }
    const now = performance.now();
    const hasCaughtUp = hasReached(replication, state, position);
    if (hasCaughtUp) replica.missing = null;
    else if (replica.missing === null || hasReached(replication, state, replica.missing.position))
      replica.missing = { position, at: now };
    const lag = now - (replica.missing?.at ?? now);
    if (lag > maxLagMs) throw this.#lost(replica, `it is ${Math.round(lag / 100) / 10} s behind`);
    this.#set(replica, null);
    if (!hasCaughtUp) throw new NotOnReplica('it is behind');
  }

  #lost(replica: Replica, why: string, cause?: unknown): NotOnReplica {
    rest(replica);
    this.#set(replica, why, cause);
    return new NotOnReplica(why, { cause });
  }

  #set(replica: Replica, why: string | null, cause?: unknown): void {
    const isNews = replica.why === undefined || (replica.why === null) !== (why === null);
    if (isNews && why === null) replica.restsUntil = 0;
    replica.why = why;
    if (isNews) this.#report(replica.nth, why, cause);
  }
}

/** Keeps reads away from a replica for `restMs`. */
function rest(replica: Replica): void {
  replica.restsUntil = performance.now() + restMs;
}
