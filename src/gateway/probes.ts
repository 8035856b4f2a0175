import { StatementTimeout } from '../execute/connection/session.ts';
import type { DatabaseState } from '../watch/admin.ts';
import type { DatabaseSnapshot, Gateway } from './gateway.ts';
import type { States } from './health.ts';
import { whyUnavailable } from './snapshot.ts';

/** Milliseconds for which any answer of a server counts as a probe. */
const recent = 2000;
/** Milliseconds within which a database must answer. */
const probeTimeout = 2000;

/** Probes each database. Concurrent requests share one probe. */
export class Probes {
  readonly #running = new Map<string, Promise<DatabaseState>>();

  async states({ settings, snapshots }: Gateway): Promise<States> {
    const all = [...snapshots.values()].map(async (view) => {
      // Clients other than operators may reach this port: it does not reveal the login.
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
  // A full pool does not prove a dead server: its calls are still answered.
  if (!database.isAway && performance.now() - database.heard() < recent) return up;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DatabaseState>((resolve) => {
    timer = setTimeout(() => resolve(down(new StatementTimeout('no answer', probeTimeout))), probeTimeout);
  });
  const asked = database
    .use((session) => session.run({ text: 'SELECT 1', values: [] }, { deadline: probeTimeout }))
    .then(
      () => up,
      (error: unknown) => down(error),
    );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
