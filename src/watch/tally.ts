/** The labels of an answer in the metrics. Clients cannot invent label values, so the combinations stay few. */
export interface AnswerKind {
  readonly action: string;
  readonly resource: string | null;
  readonly status: number;
  readonly cache: string | null;
}

interface Counted extends AnswerKind {
  count: number;
}

/** Counts answers in plain numbers, which become labelled metrics at a scrape: prom-client is too slow for every hit. */
export class Tally {
  readonly #counts = new Map<string, Map<string | null, Counted[]>>();

  add({ action, resource, status, cache }: AnswerKind): void {
    const all = this.#of(action, resource);
    for (const counted of all) {
      if (counted.status === status && counted.cache === cache) {
        counted.count++;
        return;
      }
    }
    all.push({ action, resource, status, cache, count: 1 });
  }

  all(): readonly Counted[] {
    return [...this.#counts.values()].flatMap((byResource) => [...byResource.values()].flat());
  }

  #of(action: string, resource: string | null): Counted[] {
    const existing = this.#counts.get(action)?.get(resource);
    if (existing !== undefined) return existing;
    const byResource = this.#counts.get(action) ?? new Map<string | null, Counted[]>();
    const counts: Counted[] = [];
    this.#counts.set(action, byResource.set(resource, counts));
    return counts;
  }
}
