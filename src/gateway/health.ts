import { StatementTimeout } from '../execute/connection/session.ts';
import type { DatabaseState, Health } from '../watch/admin.ts';
import { type DatabaseSnapshot, type Gateway, whyUnavailable } from './build.ts';

/** Whose server has answered anything within so many milliseconds is not asked. */
const recent = 2000;
/** Milliseconds that a database has to answer. */
const patience = 2000;

export type States = Health['databases'];

/** Tells of each database whether it answers now. Who asks at the same time shares one question to it. */
export class Probes {
  readonly #running = new Map<string, Promise<DatabaseState>>();

  async states({ settings, snapshots }: Gateway): Promise<States> {
    const all = [...snapshots.values()].map(async (view) => {
      // The port may be open to more than operators: it is not told who logs in.
      const why = (cause: unknown) => whyUnavailable(settings, view.name, cause, false);
      return [view.name, await this.#state(view, why)] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }

  #state(view: DatabaseSnapshot, why: (cause: unknown) => string): Promise<DatabaseState> {
    const running = this.#running.get(view.name);
    if (running !== undefined) return running;
    const state = probe(view, why).finally(() => this.#running.delete(view.name));
    this.#running.set(view.name, state);
    return state;
  }
}

async function probe(
  { connected, connectError, tables }: DatabaseSnapshot,
  why: (cause: unknown) => string,
): Promise<DatabaseState> {
  const down = (cause: unknown) => ({ up: false, why: why(cause), absent: [] });
  const up = {
    up: true,
    why: null,
    absent: [...tables].filter(([, table]) => typeof table === 'string').map(([name]) => name),
  };
  if (connected === null) return down(connectError?.cause);
  const { database } = connected;
  // A full pool is no proof of a dead server: what its calls are answered is.
  if (!database.isAway && performance.now() - database.heard() < recent) return up;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DatabaseState>((resolve) => {
    timer = setTimeout(() => resolve(down(new StatementTimeout('no answer', patience))), patience);
  });
  const asked = database
    .use((session) => session.run({ text: 'SELECT 1', values: [] }, { deadline: patience }))
    .then(
      () => up,
      (error: unknown) => down(error),
    );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** What several processes know of the databases, as one: a database is up where any of them is answered. */
export function together(known: readonly States[]): States {
  const all = new Map<string, DatabaseState>();
  for (const states of known) {
    for (const [name, state] of Object.entries(states)) if (all.get(name)?.up !== true) all.set(name, state);
  }
  return Object.fromEntries(all);
}

/**
 * Ready is who can answer calls over at least one database: were one of several databases enough to be taken out of service, its
 * fall would take the others' calls with it, and that on every instance at once.
 */
export function healthOf(databases: States, workers: Health['workers'], draining: boolean): Health {
  const ready = !draining && workers.serving > 0 && Object.values(databases).some(({ up }) => up);
  return { ready, draining, workers, databases };
}
