import type { Database } from '../execute/connection/database.ts';
import type { FeedSource, Names } from '../feed/names.ts';
import type { Relation } from '../model/catalog.ts';
import type { LogQuestion } from '../model/feed.ts';
import type { TokenPair, TokenSource } from '../model/token.ts';

/**
 * The tables that others have changed. `own`: only the gateway has written, and has invalidated that. `pending`: it is about to.
 * `anything`: the tables are not known.
 */
type Changed = readonly Relation[] | 'own' | 'pending' | 'anything';

/** Tells what was changed past the gateway between two tokens of a database. */
export class OutsideWrites {
  readonly #database: Database;
  readonly #token: TokenSource;
  readonly #names: Names;
  readonly #relations: () => readonly Relation[];
  /** As `LogQuestion.definitions` was last; null: there was no question. */
  #definitions: ReadonlySet<string> | null = null;
  /** The token at which definitions may last have changed. */
  #definedAt: string | null = null;

  /** @param relations returns those whose definitions answers over the database depend on */
  constructor(database: Database, token: TokenSource, names: Names, relations: () => readonly Relation[]) {
    this.#relations = relations;
    this.#database = database;
    this.#token = token;
    this.#names = names;
  }

  /**
   * @param before null: none, or one of another session
   * @param source the log of the server; null: it is not read
   */
  async between(before: string | null, after: string, source: FeedSource | null): Promise<Changed> {
    const { own } = this.#database;
    const ended = before === null ? null : this.#token.ended(before, after);
    // The server may have started anew, with the same ids.
    if (ended === null) own.clear();
    const others = ended === null ? null : own.othersOf(ended);
    if (own.isPending(ended ?? []) && (source !== null || others?.length === 0)) return 'pending';
    own.forget(ended ?? []);
    if (others?.length === 0) return 'own';
    const question = before === null || source === null ? null : await this.#question({ before, after }, others);
    const isDefined = this.#isDefined(question);
    if (isDefined) this.#definedAt = after;
    if (isDefined || question === null || source === null || this.#mayBeEarlier(question)) return 'anything';
    return (await this.#names.tablesOf(source, question)) ?? 'anything';
  }

  /** @param others transactions that are not the gateway's own; null: the tokens do not say them */
  async #question(tokens: TokenPair, others: readonly string[] | null): Promise<LogQuestion | null> {
    const { log } = this.#token;
    const more = log === null || others === null ? null : log.inspect(tokens.before, others, this.#relations());
    const inspected = more === null ? null : await this.#database.sampler.inspect(more).catch(() => null);
    return log?.question(tokens, others, inspected) ?? null;
  }

  /** Whether definitions may have changed. What is dropped after as much was made unseen would leave its marks equal. */
  #isDefined(question: LogQuestion | null): boolean {
    const before = this.#definitions;
    this.#definitions = question === null ? null : new Set(question.definitions);
    return question === null || before === null || question.definitions.some((mark) => !before.has(mark));
  }

  /** Whether the log may name tables as they were called before. */
  #mayBeEarlier({ ids }: LogQuestion): boolean {
    const { log } = this.#token;
    return ids !== null && this.#definedAt !== null && log?.mayBeEarlier(ids, this.#definedAt) !== false;
  }
}
