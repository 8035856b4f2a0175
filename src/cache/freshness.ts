import type { Sample } from '../model/token.ts';
import { Backoff } from '../values/backoff.ts';
import { goneApart, type Moment, momentNow } from '../values/clocks.ts';
import type { Generations } from './generations.ts';

export interface FreshnessOptions {
  /** Milliseconds by which an answer from the cache may be behind a commit. */
  readonly maxStaleness: number;
  /** Milliseconds by which the token may change before the commit is visible. */
  readonly early: number;
  /** Whether the commit of an open transaction changes the token. Otherwise nothing is proved while one is open. */
  readonly isLogged: boolean;
  /** Asks the database. */
  sample(): Promise<Sample>;
  /**
   * What the transactions that ended between two tokens have changed.
   * @param before null: none, or one of another session
   */
  between(before: string | null, after: string): Promise<Changes> | Changes;
  /** Called when the catalogue may be older than a change of named tables, so that its effects are not certain. */
  needsCatalog(): void;
  /** Called after each sample. */
  report(proof: Proof): void;
}

/**
 * The counters of the tables that others have changed; none where the gateway has invalidated all effects itself. `pending`: it is
 * about to. `anything`: the tables are not known.
 */
export type Changes = readonly string[] | 'pending' | 'anything';

export interface Proof {
  /** What the sample has shown: an equal token, changes of named tables, changes of any tables, or nothing at all. */
  readonly by: 'same' | 'named' | 'anything' | 'pending' | 'failed';
  readonly milliseconds: number;
  /** The error of a sample that failed. */
  readonly cause?: unknown;
}

/** Milliseconds that requests wait for one sample, at most. */
const patience = 500;

/**
 * Proves that the entries over a database hold every commit up to `maxStaleness` ago, also those past the gateway. While its token
 * stays equal, no commit becomes visible. After a new token, the entries over the changed tables are
 * invalidated, or all where the tables are not named. The database is asked only when a request needs
 * the proof; requests that need it at the same time share one (docs/caching.md).
 */
export class Freshness {
  /** Every entry over the database depends on this counter. */
  readonly counter: string;
  readonly #generations: Generations;
  readonly #options: FreshnessOptions;
  /** The last sample whose changes are invalidated. */
  #last: Sample | null = null;
  /** When that sample was sent, by `performance.now()`: later commits may be missing in the entries. */
  #provedAt = Number.NEGATIVE_INFINITY;
  /** The wall clock minus the monotonic one, at that moment. */
  #offset = 0;
  /** Milliseconds that the last sample took. */
  #duration = 0;
  /** Counters whose changes may not be visible yet, and until when. */
  readonly #unsettled = new Map<string, number>();
  /** Between samples that fail. */
  readonly #backoff = new Backoff(100, 2000);
  #sampleAgainAt = Number.NEGATIVE_INFINITY;
  /** When others were last seen to have written; they may have changed the catalogue. */
  #writtenAt = Number.POSITIVE_INFINITY;
  #catalogReadAt = Number.NEGATIVE_INFINITY;
  #running: { readonly sent: number; readonly done: Promise<void> } | null = null;

  constructor(counter: string, generations: Generations, options: FreshnessOptions) {
    this.counter = counter;
    this.#generations = generations;
    this.#options = options;
  }

  /**
   * Whether the entries hold every commit until `maxStaleness` before `asked`; synchronous. Begins the next sample before that time
   * is over.
   * @param asked when the request came, by `performance.now()`
   * @param now the time by the same clock, where it is later
   */
  isProved(asked: number, now = asked): boolean {
    const { maxStaleness } = this.#options;
    const age = asked - this.#provedAt;
    if (age > maxStaleness || goneApart(this.#offset, now) > 0) return false;
    if (age > maxStaleness - this.#lead()) this.#sample();
    return true;
  }

  /** How long before a proof ends the next sample begins. It is short before a quick server: each sample takes time from the hits. */
  #lead(): number {
    const { maxStaleness } = this.#options;
    return Math.min(maxStaleness / 2, Math.max(maxStaleness / 4, 2 * this.#duration));
  }

  /** Milliseconds since the entries were last proved for a request of that moment; 0: they are. Parameters as for `isProved`. */
  unprovedFor(asked: number, now = asked): number {
    return Math.max(0, asked - this.#provedAt - this.#options.maxStaleness, goneApart(this.#offset, now));
  }

  /** The same as `isProved`, after asking the database where that is needed. False: the database has to answer the request itself. */
  async prove(asked: number): Promise<boolean> {
    if (this.isProved(asked)) return true;
    // A sample that was sent too early proves too little; the next one is shared by all who wait for it.
    const { maxStaleness } = this.#options;
    if (this.#running !== null && this.#running.sent < asked - maxStaleness) await this.#running.done;
    const now = performance.now();
    const isLate = now - asked >= patience || now - (this.#running?.sent ?? now) >= patience;
    if (!isLate) await this.#sample();
    return this.isProved(asked, performance.now());
  }

  /** @param at when reading the catalogue began: it shows everything committed before, such as triggers */
  catalogRead(at: number): void {
    this.#catalogReadAt = Math.max(this.#catalogReadAt, at);
  }

  /** Sends a sample, unless one is under way. */
  #sample(): Promise<void> {
    if (this.#running !== null) return this.#running.done;
    const moment = momentNow();
    const { at: sent } = moment;
    if (sent < this.#sampleAgainAt) return Promise.resolve();
    const took = async (): Promise<Pick<Proof, 'by' | 'cause'>> => {
      try {
        const sample = await this.#options.sample();
        return { by: this.#took(sample, await this.#changesUntil(sample), moment) };
      } catch (cause) {
        this.#sampleAgainAt = performance.now() + this.#backoff.next();
        return { by: 'failed', cause };
      }
    };
    const done = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patience);
      took().then((proof) => {
        clearTimeout(timer);
        this.#running = null;
        this.#duration = performance.now() - sent;
        resolve();
        this.#options.report({ milliseconds: this.#duration, ...proof });
      });
    });
    this.#running = { sent, done };
    return done;
  }

  /** `same`: none that the last sample has not shown. */
  async #changesUntil({ token, session }: Sample): Promise<Changes | 'same'> {
    if (this.#last?.session !== session) return this.#options.between(null, token);
    return this.#last.token === token ? 'same' : this.#options.between(this.#last.token, token);
  }

  #took(sample: Sample, changes: Changes | 'same', sent: Moment): Proof['by'] {
    // The gateway invalidates the effects of its own transaction in a moment. Until then nothing is proved.
    if (changes === 'pending') return 'pending';
    const isSame = changes === 'same';
    if (changes === 'anything') this.#writtenAt = performance.now();
    // A view or a trigger that the catalogue does not have may make more of the change.
    const isTrusted = isSame || this.#catalogReadAt > this.#writtenAt;
    if (changes !== 'anything' && !isTrusted) this.#options.needsCatalog();
    const isNamed = changes !== 'anything' && changes !== 'same' && isTrusted;
    const changed = isSame ? [] : isNamed ? changes : [this.counter];
    const invalid = [...new Set([...changed, ...this.#notVisible(sample, changed)])];
    if (invalid.length > 0) this.#generations.bump(invalid);
    this.#backoff.reset();
    this.#last = sample;
    this.#provedAt = sent.at;
    this.#offset = sent.offset;
    return isSame ? 'same' : isNamed ? 'named' : 'anything';
  }

  /**
   * Where the token is early, an entry made after it may still lack the commit. These counters are invalidated until it is visible.
   * @param changed since the last sample
   */
  #notVisible({ isOpen }: Sample, changed: readonly string[]): readonly string[] {
    const { early, isLogged } = this.#options;
    const until = performance.now() + early;
    if (early > 0) for (const counter of changed) this.#unsettled.set(counter, until);
    if (isOpen && !isLogged) this.#unsettled.set(this.counter, until);
    if (isOpen) for (const counter of this.#unsettled.keys()) this.#unsettled.set(counter, until);
    for (const [counter, settled] of this.#unsettled) if (this.#provedAt >= settled) this.#unsettled.delete(counter);
    return [...this.#unsettled.keys()];
  }
}
