import { AggregatorRegistry } from 'prom-client';
import type { MetricValues } from './metrics.ts';

export const contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of several processes as one text; each metric defines its own aggregation. */
export function text(shown: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...shown]).metrics();
}

/**
 * The counters of processes that have ended. Without them a sum would fall with each of them, and Prometheus treats a fall as a
 * restart from zero.
 */
export class EndedProcesses {
  #counted: Promise<MetricValues> = Promise.resolve([]);

  get counted(): Promise<MetricValues> {
    return this.#counted;
  }

  /** @param last its metrics when it was last asked */
  add(last: MetricValues): void {
    const counters = last.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram');
    this.#counted = this.#counted.then((before) => AggregatorRegistry.aggregate([before, counters]).getMetricsAsJSON());
  }
}
