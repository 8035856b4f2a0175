import type { Database } from '../execute/connection/database.ts';
import type { FeedSource, Names } from '../feed/names.ts';
import type { Relation } from '../model/catalog.ts';
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
    if (before === null || source === null) return 'anything';
    return (await this.#tables({ before, after }, others, source)) ?? 'anything';
  }

  /** @param others transactions that are not the gateway's own; null: the tokens do not say them */
  async #tables(
    tokens: TokenPair,
    others: readonly string[] | null,
    source: FeedSource,
  ): Promise<readonly Relation[] | null> {
    const { log } = this.#token;
    const more = log === null || others === null ? null : log.inspect(tokens.before, others, this.#relations());
    const inspected = more === null ? null : await this.#database.sampler.inspect(more).catch(() => null);
    const question = log?.question(tokens, others, inspected) ?? null;
    if (question === null) return null;
    const before = this.#definitions;
    this.#definitions = new Set(question.definitions);
    if (before === null || question.definitions.some((mark) => !before.has(mark))) return null;
    return this.#names.tablesOf(source, question);
  }
}
