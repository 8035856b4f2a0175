import { AggregatorRegistry } from 'prom-client';
import type { Shown } from './metrics.ts';

export const contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of several processes as one text; each says itself how it is added up. */
export function text(shown: readonly Shown[]): Promise<string> {
  return AggregatorRegistry.aggregate([...shown]).metrics();
}

/**
 * What processes that have ended had counted. Without it a sum would fall with each of them, and Prometheus takes a fall for
 * a restart that counted everything anew.
 */
export class Departed {
  #counted: Promise<Shown> = Promise.resolve([]);

  get counted(): Promise<Shown> {
    return this.#counted;
  }

  /** @param last what it had to show when it was last asked */
  add(last: Shown): void {
    const counters = last.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram');
    this.#counted = this.#counted.then((before) => AggregatorRegistry.aggregate([before, counters]).getMetricsAsJSON());
  }
}
