import type { Database } from '../execute/connection/database.ts';
import type { FeedSource, Names } from '../feed/names.ts';
import type { Relation } from '../model/catalog.ts';
import type { LogQuestion, NamedTables } from '../model/feed.ts';
import type { AnsweredRelations, TokenLog, TokenPair, TokenSource } from '../model/token.ts';

/** What names the tables that others write. */
export interface NameSource {
  readonly log: TokenLog;
  /** Null: no log is read, because queries alone name them. */
  readonly feed: FeedSource | null;
  /** Whether its queries may be left out for a while where they cost the server much. */
  readonly mayRest: boolean;
}

/**
 * The tables that others have changed. `own`: only the gateway has written, and has invalidated that. `pending`: it is about to.
 * `anything`: the tables are not known.
 */
export type Changed = readonly Relation[] | 'own' | 'pending' | 'anything';

type Question = LogQuestion | NamedTables;
type Connections = Pick<Database, 'own' | 'sampler' | 'use'>;

/** Milliseconds between two deletions of notes, and after one that has failed. */
const sweepEvery = 10_000;
const sweepAgain = 10 * 60_000;
/** Milliseconds without a question after the log was found closed: to prepare one costs a query. */
const askAgain = 250;
/** Milliseconds without a question after its queries have failed: each failure costs a connection. */
const askAfterFailure = 1000;
/**
 * Milliseconds over which the work of queries is summed; the share of a core that it may take; milliseconds of rest after more. Of the
 * comparisons of so many questions the quickest counts: others waited for the processor.
 */
const busy = { counted: 5000, share: 0.05, rest: 60_000, compared: 16 };

/** Names the tables that were changed past the gateway between two tokens of a database. */
export class OutsideWrites {
  readonly #database: Connections;
  readonly #token: TokenSource;
  readonly #names: Names;
  readonly #relations: () => AnsweredRelations;
  readonly #rests: () => void;
  /** As `LogQuestion.definitions` was last; null: there was no question. */
  #definitions: ReadonlySet<string> | null = null;
  /** The token at which definitions may last have changed. */
  #definedAt: string | null = null;
  /** Whether the last question found that definitions have changed. */
  #wasDefined = false;
  /** As `NamedTables.memory` was last, whose it is, and when its queries were sent. */
  #memory: { readonly of: TokenLog; readonly text: string; readonly sent: number } | null = null;
  #work = { milliseconds: 0, since: Number.NEGATIVE_INFINITY };
  /** Milliseconds of the last comparisons of definitions. */
  #compared: readonly number[] = [];
  #askAt = Number.NEGATIVE_INFINITY;
  /** When notes are deleted next, and those of which transactions: the ones that this token shows. */
  #sweepAt = Number.NEGATIVE_INFINITY;
  #sweepable: string | null = null;

  /**
   * @param relations returns those of the resources over the database
   * @param rests called when queries are left out for a while, because they cost the server much
   */
  constructor(
    database: Connections,
    token: TokenSource,
    names: Names,
    relations: () => AnsweredRelations,
    rests: () => void,
  ) {
    this.#rests = rests;
    this.#relations = relations;
    this.#database = database;
    this.#token = token;
    this.#names = names;
  }

  /**
   * Milliseconds for which `between` has to be asked with equal tokens, too: a change may show later than in the token. 0: never.
   */
  looksFor(source: NameSource | null): number {
    return performance.now() < this.#askAt ? 0 : (source?.log.late ?? 0);
  }

  /**
   * @param before null: none, or one of another session
   * @param source null: nothing names tables
   */
  async between(before: string | null, after: string, source: NameSource | null): Promise<Changed> {
    const { own } = this.#database;
    const ended = before === null ? null : this.#token.ended(before, after);
    // The server may have started anew, with the same ids.
    if (ended === null) {
      own.clear();
      // A look needs no ids, but a session with the same server.
      if (before === null || source?.log.late === undefined) this.#memory = null;
      this.#sweepable = null;
    }
    const others = ended === null ? null : own.othersOf(ended);
    if (own.isPending(ended ?? []) && (source !== null || others?.length === 0)) return 'pending';
    own.forget(ended ?? []);
    if (others?.length === 0) return 'own';
    const isAsked = before !== null && source !== null && performance.now() >= this.#askAt;
    const question = isAsked ? await this.#question({ before, after }, others, source) : null;
    const isDefined = this.#isDefined(question);
    // The definitions were looked at after the token was taken. What began in between, under the old names, is earlier than the next one.
    if (isDefined || this.#wasDefined) this.#definedAt = after;
    this.#wasDefined = isDefined;
    if (question !== null) this.#restWhenBusy(question, source);
    if (isDefined || question === null || source === null || this.#mayBeEarlier(question, source)) return 'anything';
    this.#sweep(after, source);
    if ('tables' in question) return question.tables ?? 'anything';
    if (source.feed === null) return 'anything';
    const changed = await this.#names.tablesOf(source.feed, question);
    if (changed !== 'closed') return changed;
    this.#askAt = performance.now() + askAgain;
    return 'anything';
  }

  /**
   * What open transactions have changed while the token stayed equal.
   * @param source null: nothing names tables
   */
  async whileOpen(token: string, source: NameSource | null): Promise<Changed> {
    const question = source?.log.whileOpen?.(token) ?? null;
    if (question === null || !source?.feed) return [];
    const changed = await this.#names.tablesOf(source.feed, question);
    // Where the log is not read, a change is seen when its transaction has ended: the token is another one then.
    return changed === 'closed' ? [] : changed;
  }

  /** @param others transactions that are not the gateway's own; null: the tokens do not say them */
  async #question(tokens: TokenPair, others: readonly string[] | null, { log }: NameSource) {
    const relations = this.#relations();
    const sent = performance.now();
    const last = this.#memory;
    // A query that takes long must not hide that the clock of the server was set back meanwhile.
    const memory = () => (last?.of === log ? { text: last.text, milliseconds: performance.now() - last.sent } : null);
    const isAsked = others !== null || log.late !== undefined;
    const more = isAsked ? log.inspect(tokens.before, others ?? [], relations, memory()) : [];
    const inspected =
      more.length === 0
        ? []
        : await this.#database.sampler.inspect(more).catch(() => {
            this.#askAt = performance.now() + askAfterFailure;
            return [];
          });
    const question = log.question(tokens, others, inspected, memory(), relations);
    if (question !== null && 'tables' in question && question.memory !== undefined)
      this.#memory = { of: log, text: question.memory, sent };
    return question;
  }

  #restWhenBusy({ compared = 0, work = 0 }: Question, source: NameSource | null): void {
    const now = performance.now();
    const { milliseconds, since } = this.#work;
    const passed = now - since;
    this.#compared = [compared, ...this.#compared.slice(0, busy.compared - 1)];
    const more = Math.min(...this.#compared) + work;
    this.#work =
      passed < busy.counted ? { milliseconds: milliseconds + more, since } : { milliseconds: more, since: now };
    if (source?.mayRest !== true || passed < busy.counted || milliseconds / passed <= busy.share) return;
    this.#askAt = now + busy.rest;
    this.#rests();
  }

  /**
   * Whether definitions may have changed. Objects that were made unseen, and as many that were dropped, would leave its marks
   * equal.
   */
  #isDefined(question: Question | null): boolean {
    const before = this.#definitions;
    this.#definitions = question === null ? null : new Set(question.definitions);
    return question === null || before === null || question.definitions.some((mark) => !before.has(mark));
  }

  /** Whether the tables may be named as they were called before, or were not noted yet. */
  #mayBeEarlier({ ids }: Question, { log }: NameSource): boolean {
    return this.#definedAt !== null && log.mayBeEarlier(ids, this.#definedAt);
  }

  /** Deletes notes of transactions that had ended some time ago. Another gateway that has not read them invalidates all, once. */
  #sweep(token: string, { log }: NameSource): void {
    if (log.sweep === undefined || performance.now() < this.#sweepAt) return;
    this.#sweepAt = performance.now() + sweepEvery;
    const old = this.#sweepable;
    this.#sweepable = token;
    if (old === null) return;
    const statement = log.sweep(old);
    this.#database
      .use((session) => session.run(statement))
      .catch(() => {
        // No right, or a read-only server.
        this.#sweepAt = performance.now() + sweepAgain;
      });
  }
}
