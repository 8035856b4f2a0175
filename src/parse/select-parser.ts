/** A client's SQL text → a `Select`. */
import type { Select } from '../model/select.ts';
import { checkText } from './check-text.ts';
import { ParseThread, tooComplex } from './parse-thread.ts';
import { loadParser, ParserCrash, type ParseTree } from './postgres-parser.ts';
import { readTree } from './tree/read-select.ts';

/** Texts up to this length are parsed in the main thread, and block it for 2 ms at most: asking a thread usually takes longer than that. */
const maxOnMainThread = 500;

export class SelectParser {
  readonly #thread: ParseThread;
  readonly #load: () => Promise<ParseTree>;
  #parser: Promise<ParseTree> | null = null;
  #hasCrashed = false;

  /**
   * Nothing is loaded before `load` is called or the first text arrives.
   * @param threadUrl the compiled `thread.ts`
   * @param load loads the parser of the main thread
   */
  constructor(threadUrl = new URL('./thread.js', import.meta.url), load = loadParser) {
    this.#thread = new ParseThread(threadUrl);
    this.#load = load;
  }

  /** Loads the main thread's parser, which blocks the event loop for some 60 ms. Call it before the port opens, when nobody waits. */
  async load(): Promise<void> {
    this.#parser ??= this.#load();
    await this.#parser;
  }

  /**
   * Parses a client's text.
   * @param maxCharacters `limits.sqlLength`
   * @returns the SELECT, with names and types as written
   * @throws SqlFault for anything that `datastore_search_sql` does not support
   */
  async parse(sql: string, maxCharacters: number): Promise<Select> {
    checkText(sql, maxCharacters);
    if (sql.length > maxOnMainThread || this.#hasCrashed) return this.#thread.parse(sql);
    this.#parser ??= this.#load();
    const parse = await this.#parser;
    try {
      return readTree(parse(sql));
    } catch (error) {
      if (!(error instanceof ParserCrash)) throw error;
      // This parser's memory may be corrupt. The main thread can't replace it, so from now on the other thread parses all texts.
      this.#hasCrashed = true;
      throw tooComplex();
    }
  }

  close(): void {
    this.#thread.close();
  }
}
