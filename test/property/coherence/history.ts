/**
 * The versions of each record with the outcome of each write. They tell what a read may show. Only one client writes a record at a time, so its
 * versions have an order; reads can overlap with anything.
 */

/** The state of a record: the number of its last write, or null if there is no record. */
export type State = number | null;

/** What an answer shows: one record, or a count of several. */
export type Seen =
  | { readonly record: string; readonly is: State }
  | { readonly records: readonly string[]; readonly count: number };

interface Version {
  readonly state: State;
  /** `lost`: the call reported an unknown outcome. `open`: there is no answer yet. */
  outcome: 'open' | 'done' | 'failed' | 'lost';
  /** Whether a reader has seen it. */
  shown: boolean;
  /** Reads that begin after this moment may not show anything older. */
  since: number;
}

/** A write in progress. Call one of these with its outcome. */
export interface Writing {
  /** The write was confirmed. */
  done(): void;
  /** The write was refused. */
  failed(): void;
  /** The outcome is unknown. */
  lost(): void;
}

export class History {
  readonly #records = new Map<string, Version[]>();
  /** The current time in milliseconds. */
  readonly #now: () => number;
  readonly #maxStaleness: number;

  /** @param maxStaleness milliseconds for which other gateways may miss a commit, unless it was confirmed */
  constructor({ maxStaleness = 0, now = () => performance.now() } = {}) {
    this.#maxStaleness = maxStaleness;
    this.#now = now;
  }

  /** Adds the states that records may have from now on; null for a deleted record. */
  write(changes: ReadonlyMap<string, State>): Writing {
    const versions = [...changes].map(([record, state]) => {
      const version: Version = { state, outcome: 'open', shown: false, since: Number.POSITIVE_INFINITY };
      this.#versions(record).push(version);
      return version;
    });
    const ends = (outcome: Version['outcome']) => () => {
      const now = this.#now();
      for (const version of versions) {
        version.outcome = outcome;
        if (outcome === 'done') version.since = now;
        // Once a version was shown, the write has happened, whatever its answer.
        if (outcome === 'lost' && version.shown) version.since = now + this.#maxStaleness;
      }
    };
    return { done: ends('done'), failed: ends('failed'), lost: ends('lost') };
  }

  /**
   * Call this when a read begins.
   * @returns a function that judges the answer: it describes the first part that was out of date when the read began, or returns null
   */
  read(): (seen: readonly Seen[]) => string | null {
    const began = this.#now();
    return (seen) => {
      for (const one of seen) {
        const wrong = 'record' in one ? this.#judge(one.record, one.is, began) : this.#judgeCount(one, began);
        if (wrong !== null) return wrong;
      }
      return null;
    };
  }

  #judge(record: string, is: State, began: number): string | null {
    const versions = this.#versions(record);
    const from = floor(versions, began);
    // The answer is at least as new as the oldest version with this state; later versions with the same state prove nothing more.
    const [found, ...others] = versions.slice(from).filter((version) => isPossible(version) && version.state === is);
    if (found === undefined) return `${record} is shown as ${is}, after it was ${describeWrites(versions, from)}`;
    if (!found.shown) {
      found.shown = true;
      // If a later write has the same state, that one may have been shown instead.
      if (found.outcome === 'lost' && others.length === 0) found.since = this.#now() + this.#maxStaleness;
    }
    return null;
  }

  #judgeCount({ records, count }: Extract<Seen, { count: number }>, began: number): string | null {
    let [least, most] = [0, 0];
    for (const record of records) {
      const versions = this.#versions(record);
      const possible = versions.slice(floor(versions, began)).filter(isPossible);
      if (possible.some(({ state }) => state !== null)) most++;
      if (possible.every(({ state }) => state !== null)) least++;
    }
    if (count >= least && count <= most) return null;
    return `${count} of ${records.length} records (${records[0]} …) are counted, but there are ${least} to ${most}`;
  }

  #versions(record: string): Version[] {
    const existing = this.#records.get(record);
    if (existing !== undefined) return existing;
    const versions: Version[] = [{ state: null, outcome: 'done', shown: true, since: 0 }];
    this.#records.set(record, versions);
    return versions;
  }
}

/** The newest version that was confirmed before the read began: nothing older may be shown. */
const floor = (versions: readonly Version[], began: number): number =>
  versions.findLastIndex(({ since }) => since < began);

const isPossible = ({ outcome }: Version): boolean => outcome !== 'failed';

const describeWrites = (versions: readonly Version[], from: number): string =>
  versions
    .slice(from)
    .map(({ state, outcome }) => `${state} (${outcome})`)
    .join(', then ');
