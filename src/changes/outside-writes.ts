import type { Database } from '../execute/connection/database.ts';
import type { Relation } from '../model/catalog.ts';
import type { CommitMarkerSource, MarkerPair } from '../model/commit-marker.ts';
import type { LogQuestion } from '../model/feed.ts';
import type { TableNameSource } from '../tables/served.ts';
import type { ChangeFeed } from './log/names.ts';

/**
 * The tables that other clients have changed. `own`: only the gateway has written, and it has invalidated the entries. `pending`: the
 * gateway has written, and is about to invalidate the entries. `anything`: any table may have changed.
 */
export type OutsideChange = readonly Relation[] | 'own' | 'pending' | 'anything';

type Connections = Pick<Database, 'ownTransactions' | 'sampler'>;

/** Milliseconds until we ask a closed log again: each time we ask costs a query on the database first. */
const closedPauseMs = 250;
/** Milliseconds until we try again after a query has failed, because each failure costs a connection. */
const failurePauseMs = 1000;
/**
 * If our queries use more than `maxShare` of a server's core over `windowMs`, we pause them for `pauseMs`. We charge each query the time
 * of the fastest of the last `samples` queries: slower ones only waited for a processor.
 */
const workLimit = { windowMs: 5000, maxShare: 0.05, pauseMs: 60_000, samples: 16 };

/** Finds the tables that other clients changed between two commit markers of a database. */
export class OutsideWrites {
  readonly #database: Connections;
  readonly #source: CommitMarkerSource;
  readonly #names: ChangeFeed;
  readonly #related: () => readonly Relation[];
  readonly #onPause: () => void;
  /** Marks of recent DDL from the last query; null if that query failed. */
  #ddlMarks: ReadonlySet<string> | null = null;
  /** The newest commit marker before which DDL may have run. */
  #ddlMarker: string | null = null;
  /** Whether DDL may have run before the last query. */
  #hadDdl = false;
  #work = { milliseconds: 0, since: Number.NEGATIVE_INFINITY };
  /** How many milliseconds each of the last queries took the server. */
  #lastWorkMs: readonly number[] = [];
  #askAgainAt = Number.NEGATIVE_INFINITY;

  /**
   * @param related returns the tables and views whose definitions our answers depend on
   * @param onPause called when we stop asking for a while, because the queries cost the server too much
   */
  constructor(
    database: Connections,
    source: CommitMarkerSource,
    names: ChangeFeed,
    related: () => readonly Relation[],
    onPause: () => void,
  ) {
    this.#onPause = onPause;
    this.#related = related;
    this.#database = database;
    this.#source = source;
    this.#names = names;
  }

  /**
   * The tables that other clients changed between two commit markers.
   * @param before the last commit marker; null if there is none, or it was read in another session
   * @param source the log that names the changed tables; null if none can be read
   */
  async between(before: string | null, after: string, source: TableNameSource | null): Promise<OutsideChange> {
    const { ownTransactions } = this.#database;
    const ended = before === null ? null : this.#source.ended(before, after);
    // The server may have restarted, and may use the same transaction ids again.
    if (ended === null) ownTransactions.clear();
    const others = ended === null ? null : ownTransactions.othersOf(ended);
    if (ownTransactions.isPending(ended ?? []) && (source !== null || others?.length === 0)) return 'pending';
    ownTransactions.forget(ended ?? []);
    if (others?.length === 0) return 'own';
    const mayAsk = before !== null && source !== null && performance.now() >= this.#askAgainAt;
    const question = mayAsk ? await this.#question({ before, after }, others, source) : null;
    const hasDdl = this.#hasDdl(question);
    // We look for DDL after reading the marker. Transactions that begin in between may use old names, so note the next marker, too.
    if (hasDdl || this.#hadDdl) this.#ddlMarker = after;
    this.#hadDdl = hasDdl;
    if (question !== null) this.#pauseWhenBusy(question, source);
    if (hasDdl || question === null || source === null || this.#mayHaveOldNames(question, source)) return 'anything';
    const changed = await this.#names.tablesOf(source.feed, question);
    if (changed !== 'closed') return changed;
    this.#askAgainAt = performance.now() + closedPauseMs;
    return 'anything';
  }

  /** @param others other clients' transactions; null if the markers do not name any */
  async #question(tokens: MarkerPair, others: readonly string[] | null, { log }: TableNameSource) {
    const statements = others === null ? [] : (log.inspect?.(tokens.before, others, this.#related()) ?? []);
    const inspected =
      statements.length === 0
        ? []
        : await this.#database.sampler.inspect(statements).catch(() => {
            this.#askAgainAt = performance.now() + failurePauseMs;
            return [];
          });
    return log.question(tokens, others, inspected);
  }

  #pauseWhenBusy({ workMs = 0 }: LogQuestion, source: TableNameSource | null): void {
    const now = performance.now();
    const { milliseconds, since } = this.#work;
    const passed = now - since;
    this.#lastWorkMs = [workMs, ...this.#lastWorkMs.slice(0, workLimit.samples - 1)];
    const typicalMs = Math.min(...this.#lastWorkMs);
    const isWindowOver = passed >= workLimit.windowMs;
    this.#work = isWindowOver
      ? { milliseconds: typicalMs, since: now }
      : { milliseconds: milliseconds + typicalMs, since };
    if (source?.mayPause !== true || !isWindowOver || milliseconds / passed <= workLimit.maxShare) return;
    this.#askAgainAt = now + workLimit.pauseMs;
    this.#onPause();
  }

  /** Whether DDL may have run since the last query. Also true if that query or this one failed: DDL in between may have left no mark. */
  #hasDdl(question: LogQuestion | null): boolean {
    const before = this.#ddlMarks;
    this.#ddlMarks = question === null ? null : new Set(question.ddlMarks);
    return question === null || before === null || question.ddlMarks.some((mark) => !before.has(mark));
  }

  /** Whether one of the transactions may have begun before the last DDL: the log would name its tables by their old names. */
  #mayHaveOldNames({ ids }: LogQuestion, { log }: TableNameSource): boolean {
    return this.#ddlMarker !== null && log.mayHaveOldNames?.(ids, this.#ddlMarker) === true;
  }
}
