import type { DatabaseState, Health } from '../watch/admin.ts';

export type States = Health['databases'];

/** Merges the states that several processes report: a database is up if any of them reaches it. */
export function together(known: readonly States[]): States {
  const all = new Map<string, DatabaseState>();
  for (const states of known) {
    for (const [name, state] of Object.entries(states)) if (all.get(name)?.up !== true) all.set(name, state);
  }
  return Object.fromEntries(all);
}

/**
 * Ready means: at least one database is up. If all had to be, one failure would stop the calls of all databases, on every
 * instance at once.
 */
export function healthOf(databases: States, workers: Health['workers'], draining: boolean): Health {
  const ready = !draining && workers.serving > 0 && Object.values(databases).some(({ up }) => up);
  return { ready, draining, workers, databases };
}
