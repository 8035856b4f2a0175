/**
 * The versions that the writes gave each record, one after the other, with the outcome of each write: from it follows what a read
 * may show. A record is written by one client at a time, so that its versions have an order; readers come and go as they like.
 */

/** The value of a record: the number of its last write, or null where there is no record. */
export type State = number | null;

/** The content of an answer: one record, or how many of these records there are. */
export type Seen =
  | { readonly record: string; readonly is: State }
  | { readonly records: readonly string[]; readonly count: number };

interface Version {
  readonly state: State;
  /** `lost`: the answer was that the outcome is unknown. `open`: there is no answer yet. */
  outcome: 'open' | 'done' | 'failed' | 'lost';
  /** Whether somebody has seen it. */
  shown: boolean;
  /** From this moment on nothing older may be shown. */
  since: number;
}

/** A call that writes, under way. */
export interface Writing {
  /** The answer was that it is written. */
  done(): void;
  /** The answer was that it is not. */
  failed(): void;
  /** The answer was that the outcome is unknown. */
  lost(): void;
}

export class History {
  readonly #records = new Map<string, Version[]>();
  /** Milliseconds. */
  readonly #now: () => number;
  readonly #maxStaleness: number;

  /**
   * @param maxStaleness milliseconds for which others may miss a write after its commit, unless it was answered as done
   */
  constructor({ maxStaleness = 0, now = () => performance.now() } = {}) {
    this.#maxStaleness = maxStaleness;
    this.#now = now;
  }

  /** The values a record may have from now on: `changes` by record, `null` where it is deleted. */
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
        // A version that was shown, and whose write then has any answer, is there for good.
        if (outcome === 'lost' && version.shown) version.since = now + this.#maxStaleness;
      }
    };
    return { done: ends('done'), failed: ends('failed'), lost: ends('lost') };
  }

  /**
   * Call when a read begins.
   * @returns what judges its answer: the first thing in it that was no longer true when the read began, in words, or null
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
    // It is at least this new: among equal states the oldest proves the least.
    const [found, ...others] = versions.slice(from).filter((version) => isPossible(version) && version.state === is);
    if (found === undefined) return `${record} is shown as ${is}, after it was ${told(versions, from)}`;
    if (!found.shown) {
      found.shown = true;
      // A later write of the same state may be the one that was shown.
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
    const known = this.#records.get(record);
    if (known !== undefined) return known;
    const versions: Version[] = [{ state: null, outcome: 'done', shown: true, since: 0 }];
    this.#records.set(record, versions);
    return versions;
  }
}

/** The newest version that had its answer when the read began: nothing before it may be shown. */
const floor = (versions: readonly Version[], began: number): number =>
  versions.findLastIndex(({ since }) => since < began);

const isPossible = ({ outcome }: Version): boolean => outcome !== 'failed';

const told = (versions: readonly Version[], from: number): string =>
  versions
    .slice(from)
    .map(({ state, outcome }) => `${state} (${outcome})`)
    .join(', then ');
