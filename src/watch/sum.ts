import { AggregatorRegistry } from 'prom-client';
import type { MetricValues } from './metrics.ts';

export const contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

/** Several processes' metrics as one text; each metric defines how it is aggregated. */
export function text(shown: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...shown]).metrics();
}

/**
 * The counters of workers that have ended. Without them, the sums would drop when a worker ends, and Prometheus takes a drop for a restart
 * from zero.
 */
export class EndedProcesses {
  #counted: Promise<MetricValues> = Promise.resolve([]);

  get counted(): Promise<MetricValues> {
    return this.#counted;
  }

  /** Adds the counters of a worker that has ended. @param last its metrics at the last scrape */
  add(last: MetricValues): void {
    const counters = last.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram');
    this.#counted = this.#counted.then((earlier) =>
      AggregatorRegistry.aggregate([earlier, counters]).getMetricsAsJSON(),
    );
  }
}
