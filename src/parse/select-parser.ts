/** The text of a client → a `Select`. */
import type { Select } from '../model/select.ts';
import { checkText } from './check-text.ts';
import { ParseThread, tooComplex } from './parse-thread.ts';
import { loadParser, ParserCrash, type ParseTree } from './postgres-parser.ts';
import { readTree } from './tree/read-select.ts';

/** Texts up to this length are parsed in the main thread, and hold it for 2 ms at most: a message to another thread and back takes longer than most. */
const maxOnMainThread = 500;

export class SelectParser {
  readonly #thread: ParseThread;
  readonly #load: () => Promise<ParseTree>;
  #parser: Promise<ParseTree> | null = null;
  #hasCrashed = false;

  /**
   * Nothing is loaded before `load` or the first text.
   * @param threadUrl the compiled `thread.ts`
   * @param load loads the parser of the main thread
   */
  constructor(threadUrl = new URL('./thread.js', import.meta.url), load = loadParser) {
    this.#thread = new ParseThread(threadUrl);
    this.#load = load;
  }

  /** Loads the parser of the main thread, which holds the event loop for some 60 ms: before the port opens nobody waits for that. */
  async load(): Promise<void> {
    this.#parser ??= this.#load();
    await this.#parser;
  }

  /**
   * Reads the text of a client.
   * @param maxCharacters `limits.sqlLength`
   * @returns the SELECT, with names and types as written
   * @throws SqlFault for whatever `datastore_search_sql` does not support
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
      // The memory of this parser may be broken, and only that of a thread can be replaced.
      this.#hasCrashed = true;
      throw tooComplex();
    }
  }

  close(): void {
    this.#thread.close();
  }
}
