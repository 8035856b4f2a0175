import type { MarkerSample } from '../model/commit-marker.ts';
import { Backoff } from '../values/backoff.ts';
import { clockDrift, type Moment, momentNow } from '../values/clocks.ts';
import type { Generations } from './generations.ts';

export interface FreshnessOptions {
  /** Milliseconds by which a cached answer may lag behind a commit. */
  readonly maxStaleness: number;
  /** The commit marker may change up to this many milliseconds before other sessions see the commit. */
  readonly visibilityDelayMs: number;
  /** Whether the commit of a transaction that is open now will change the commit marker. If not, no entry is fresh while one is open. */
  readonly marksOpenTransactions: boolean;
  /** Reads the commit marker from the database. */
  sampleMarker(): Promise<MarkerSample>;
  /**
   * What the transactions that ended between two commit markers have changed.
   * @param before null if there is no earlier marker, or it was read in another session
   */
  changesBetween(before: string | null, after: string): Promise<Changes> | Changes;
  /** Requests a new reading of the catalogue: ours may lack a new view or trigger that spread a change to more tables. */
  needsCatalog(): void;
  /** Called after each reading of the commit marker, with its outcome. */
  report(proof: Proof): void;
}

/**
 * What has changed between two commit markers. A list has the counters of the tables that other clients changed; it is empty if the gateway
 * made all changes itself and has already invalidated them. `pending`: the gateway has committed a write, but not invalidated it yet.
 * `anything`: we do not know which tables changed.
 */
export type Changes = readonly string[] | 'pending' | 'anything';

export interface Proof {
  /** The outcome: the same commit marker, changes of known tables, changes of unknown tables, or no proof. */
  readonly by: 'same' | 'named' | 'anything' | 'pending' | 'failed';
  readonly milliseconds: number;
  /** The error, if the commit marker could not be read. */
  readonly cause?: unknown;
}

/** How long requests wait for one reading of the commit marker. After that, they bypass the cache. */
const sampleTimeoutMs = 500;

/**
 * Proves that the entries of a database contain every commit up to `maxStaleness` ago, also commits by other clients of the database.
 * An equal commit marker means that nothing was committed. After a new one, the entries of the changed tables are invalidated, or all
 * entries if the tables are unknown. The database is asked only when a request needs the proof, and concurrent requests share one
 * sample (docs/caching.md).
 */
export class Freshness {
  /** Every entry of the database depends on this counter, so bumping it invalidates them all. */
  readonly counter: string;
  readonly #generations: Generations;
  readonly #options: FreshnessOptions;
  /** The newest sample whose changes have been invalidated. */
  #last: MarkerSample | null = null;
  /** When the `#last` sample was sent, by `performance.now()`: entries may lack commits after this time. */
  #provedAt = Number.NEGATIVE_INFINITY;
  /** The wall clock minus the monotonic clock at `#provedAt`. If the difference has grown, the machine has slept, and the proof is void. */
  #offset = 0;
  /** How long the newest sample took. */
  #durationMs = 0;
  /** Counters whose changes may not be visible to our reads yet, each with the time when they will be. */
  readonly #unsettled = new Map<string, number>();
  /** The delay after a failed sample. */
  readonly #backoff = new Backoff(100, 2000);
  #sampleAgainAt = Number.NEGATIVE_INFINITY;
  /** When we last saw another client's write to unknown tables. It may have changed the catalogue. */
  #writtenAt = Number.POSITIVE_INFINITY;
  #catalogReadAt = Number.NEGATIVE_INFINITY;
  #running: { readonly sent: number; readonly done: Promise<void> } | null = null;

  constructor(counter: string, generations: Generations, options: FreshnessOptions) {
    this.counter = counter;
    this.#generations = generations;
    this.#options = options;
  }

  /**
   * Whether the entries contain every commit until `maxStaleness` before `received`; synchronous. Starts the next sample shortly before
   * the current proof expires.
   * @param received when the request came, by `performance.now()`
   * @param now the current time by the same clock, if it is later
   */
  isFresh(received: number, now = received): boolean {
    const { maxStaleness } = this.#options;
    const age = received - this.#provedAt;
    if (age > maxStaleness || clockDrift(this.#offset, now) > 0) return false;
    if (age > maxStaleness - this.#lead()) this.#sample();
    return true;
  }

  /** How long before a proof expires the next sample starts. A fast server needs a short lead; more samples would slow the hits down. */
  #lead(): number {
    const { maxStaleness } = this.#options;
    return Math.min(maxStaleness / 2, Math.max(maxStaleness / 4, 2 * this.#durationMs));
  }

  /** How many milliseconds ago the proof expired, for a request with this time; 0 if it is still valid. Parameters as for `isFresh`. */
  expiredForMs(received: number, now = received): number {
    return Math.max(0, received - this.#provedAt - this.#options.maxStaleness, clockDrift(this.#offset, now));
  }

  /** Like `isFresh`, but asks the database if the proof has expired. If it returns false, the request must bypass the cache. */
  async prove(received: number): Promise<boolean> {
    if (this.isFresh(received)) return true;
    // A sample in flight that was sent too early does not cover this request: wait for it, then share the next one with the other requests.
    const { maxStaleness } = this.#options;
    if (this.#running !== null && this.#running.sent < received - maxStaleness) await this.#running.done;
    const now = performance.now();
    const isLate = now - received >= sampleTimeoutMs || now - (this.#running?.sent ?? now) >= sampleTimeoutMs;
    if (!isLate) await this.#sample();
    return this.isFresh(received, performance.now());
  }

  /** @param at when reading the catalogue began: it contains every trigger and view that was committed before */
  onCatalogRead(at: number): void {
    this.#catalogReadAt = Math.max(this.#catalogReadAt, at);
  }

  /** Sends a sample, or joins the one in flight; none during the backoff. Resolves when the sample is applied or has timed out. */
  #sample(): Promise<void> {
    if (this.#running !== null) return this.#running.done;
    const moment = momentNow();
    const { at: sent } = moment;
    if (sent < this.#sampleAgainAt) return Promise.resolve();
    const takeSample = async (): Promise<Pick<Proof, 'by' | 'cause'>> => {
      try {
        const sample = await this.#options.sampleMarker();
        return { by: this.#apply(sample, await this.#changesUntil(sample), moment) };
      } catch (cause) {
        this.#sampleAgainAt = performance.now() + this.#backoff.next();
        return { by: 'failed', cause };
      }
    };
    const done = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, sampleTimeoutMs);
      takeSample().then((proof) => {
        clearTimeout(timer);
        this.#running = null;
        this.#durationMs = performance.now() - sent;
        resolve();
        this.#options.report({ milliseconds: this.#durationMs, ...proof });
      });
    });
    this.#running = { sent, done };
    return done;
  }

  /** The changes since the newest sample; `same` if the commit marker is equal. */
  async #changesUntil({ marker, session }: MarkerSample): Promise<Changes | 'same'> {
    if (this.#last?.session !== session) return this.#options.changesBetween(null, marker);
    return this.#last.marker === marker ? 'same' : this.#options.changesBetween(this.#last.marker, marker);
  }

  #apply(sample: MarkerSample, changes: Changes | 'same', sent: Moment): Proof['by'] {
    // A write of our own is committed, but its entries are invalidated only in a moment: until then they are stale.
    if (changes === 'pending') return 'pending';
    const isSame = changes === 'same';
    if (changes === 'anything') this.#writtenAt = performance.now();
    // Our catalogue may be older than the write: a new view or trigger could have spread it to more tables.
    const isCatalogCurrent = isSame || this.#catalogReadAt > this.#writtenAt;
    if (changes !== 'anything' && !isCatalogCurrent) this.#options.needsCatalog();
    const isNamed = changes !== 'anything' && changes !== 'same' && isCatalogCurrent;
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
   * The counters to bump again because their commits may not be visible yet. The commit marker can change before other sessions see the
   * commit (`visibilityDelayMs`), so an entry that was read after the new marker may still be stale.
   * @param changed the counters of the tables changed since the newest sample
   */
  #notVisible({ isOpen }: MarkerSample, changed: readonly string[]): readonly string[] {
    const { visibilityDelayMs, marksOpenTransactions } = this.#options;
    const until = performance.now() + visibilityDelayMs;
    if (visibilityDelayMs > 0) for (const counter of changed) this.#unsettled.set(counter, until);
    if (isOpen && !marksOpenTransactions) this.#unsettled.set(this.counter, until);
    if (isOpen) for (const counter of this.#unsettled.keys()) this.#unsettled.set(counter, until);
    for (const [counter, settled] of this.#unsettled) if (this.#provedAt >= settled) this.#unsettled.delete(counter);
    return [...this.#unsettled.keys()];
  }
}
