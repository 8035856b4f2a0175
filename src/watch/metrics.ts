import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Emit, Event } from '../model/events.ts';
import {
  type Counters,
  countAnswers,
  countDatabases,
  countLogins,
  countProcess,
  countQueries,
  countShadows,
  type EventOf,
} from './counters.ts';
import { registerGauges } from './gauges.ts';
import type { GaugeSources } from './levels.ts';

/** One process's metrics. The primary aggregates all workers' metrics. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Counts events. Unknown action and resource names share one label value, so that clients cannot fill the memory. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counters: Counters;
  #collectsProcessMetrics = false;

  constructor(sources: GaugeSources) {
    const registers = [this.#registry];
    this.#counters = {
      ...countAnswers(registers),
      ...countQueries(registers),
      ...countDatabases(registers),
      ...countLogins(registers),
      ...countShadows(registers),
      ...countProcess(registers),
    };
    registerGauges(this.#registry, sources);
  }

  readonly emit: Emit = (event) => this.#count(event.on, event);

  /** The current metrics. From the first call on, they include Node's own metrics of the process. */
  show(): Promise<MetricValues> {
    if (!this.#collectsProcessMetrics) collectDefaultMetrics({ register: this.#registry });
    this.#collectsProcessMetrics = true;
    return this.#registry.getMetricsAsJSON();
  }

  #count<K extends Event['on']>(on: K, event: EventOf<K>): void {
    this.#counters[on]?.(event);
  }
}
