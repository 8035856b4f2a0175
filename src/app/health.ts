import type { DatabaseState, Health } from '../watch/admin.ts';

export type States = Health['databases'];

/** Merges the states that several processes report: a database is up if any of them reaches it. */
export function mergeStates(reports: readonly States[]): States {
  const all = new Map<string, DatabaseState>();
  for (const states of reports) {
    for (const [name, state] of Object.entries(states)) if (all.get(name)?.up !== true) all.set(name, state);
  }
  return Object.fromEntries(all);
}

/**
 * The gateway is ready if at least one database is up. If all of them had to be up, a single outage would take every instance out of service
 * at once.
 */
export function healthOf(databases: States, workers: Health['workers'], draining: boolean): Health {
  const ready = !draining && workers.serving > 0 && Object.values(databases).some(({ up }) => up);
  return { ready, draining, workers, databases };
}
