import type { Database } from '../execute/connection/database.ts';
import type { Relation } from '../model/catalog.ts';
import type { LogQuestion } from '../model/feed.ts';
import type { TokenPair, TokenSource } from '../model/token.ts';
import type { NameSource } from '../tables/served.ts';
import type { Names } from './log/names.ts';

/**
 * The tables that others have changed. `own`: only the gateway has written, and has invalidated that. `pending`: it is about to.
 * `anything`: the tables are not known.
 */
export type Changed = readonly Relation[] | 'own' | 'pending' | 'anything';

type Connections = Pick<Database, 'own' | 'sampler'>;

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
  readonly #related: () => readonly Relation[];
  readonly #rests: () => void;
  /** As `LogQuestion.definitions` was last; null: there was no question. */
  #definitions: ReadonlySet<string> | null = null;
  /** The token at which definitions may last have changed. */
  #definedAt: string | null = null;
  /** Whether the last question found that definitions have changed. */
  #wasDefined = false;
  #work = { milliseconds: 0, since: Number.NEGATIVE_INFINITY };
  /** Milliseconds of the last comparisons of definitions. */
  #compared: readonly number[] = [];
  #askAt = Number.NEGATIVE_INFINITY;

  /**
   * @param related returns what `TokenLog.inspect` needs
   * @param rests called when queries are left out for a while, because they cost the server much
   */
  constructor(
    database: Connections,
    token: TokenSource,
    names: Names,
    related: () => readonly Relation[],
    rests: () => void,
  ) {
    this.#rests = rests;
    this.#related = related;
    this.#database = database;
    this.#token = token;
    this.#names = names;
  }

  /**
   * @param before null: none, or one of another session
   * @param source null: nothing names tables
   */
  async between(before: string | null, after: string, source: NameSource | null): Promise<Changed> {
    const { own } = this.#database;
    const ended = before === null ? null : this.#token.ended(before, after);
    // The server may have started anew, with the same ids.
    if (ended === null) own.clear();
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
    const changed = await this.#names.tablesOf(source.feed, question);
    if (changed !== 'closed') return changed;
    this.#askAt = performance.now() + askAgain;
    return 'anything';
  }

  /** @param others transactions that are not the gateway's own; null: the tokens do not say them */
  async #question(tokens: TokenPair, others: readonly string[] | null, { log }: NameSource) {
    const more = others === null ? [] : (log.inspect?.(tokens.before, others, this.#related()) ?? []);
    const inspected =
      more.length === 0
        ? []
        : await this.#database.sampler.inspect(more).catch(() => {
            this.#askAt = performance.now() + askAfterFailure;
            return [];
          });
    return log.question(tokens, others, inspected);
  }

  #restWhenBusy({ compared = 0 }: LogQuestion, source: NameSource | null): void {
    const now = performance.now();
    const { milliseconds, since } = this.#work;
    const passed = now - since;
    this.#compared = [compared, ...this.#compared.slice(0, busy.compared - 1)];
    const more = Math.min(...this.#compared);
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
  #isDefined(question: LogQuestion | null): boolean {
    const before = this.#definitions;
    this.#definitions = question === null ? null : new Set(question.definitions);
    return question === null || before === null || question.definitions.some((mark) => !before.has(mark));
  }

  /** Whether the tables may be named as they were called before. */
  #mayBeEarlier({ ids }: LogQuestion, { log }: NameSource): boolean {
    return this.#definedAt !== null && log.mayBeEarlier?.(ids, this.#definedAt) === true;
  }
}
