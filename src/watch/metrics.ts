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

/** The metrics of one process. The primary aggregates the metrics of all workers. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Counts events. Unknown names of actions and resources share one label value, so that clients cannot fill the memory. */
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

  /** The current metrics. Node's metrics of the process are collected from the first call on. */
  show(): Promise<MetricValues> {
    if (!this.#collectsProcessMetrics) collectDefaultMetrics({ register: this.#registry });
    this.#collectsProcessMetrics = true;
    return this.#registry.getMetricsAsJSON();
  }

  #count<K extends Event['on']>(on: K, event: EventOf<K>): void {
    this.#counters[on]?.(event);
  }
}
