import { within } from '../execute/connection/deadline.ts';
import type { Sampler } from '../execute/connection/sampler.ts';
import { StatementTimeout } from '../execute/connection/session.ts';
import type { Statement } from '../model/rows.ts';
import type { DatabaseSnapshot } from '../tables/served.ts';
import { outageIn, whyUnavailable } from '../tables/snapshot.ts';
import { InFlight } from '../values/in-flight.ts';
import type { DatabaseState } from '../watch/admin.ts';
import type { Gateway } from './gateway.ts';
import type { States } from './health.ts';

/** Milliseconds for which a statement that a server has run counts as a probe. */
const recent = 2000;
/** Milliseconds within which a database must answer. */
const probeTimeout = 2000;

/** Probes each database. Concurrent requests share one probe. */
export class Probes {
  readonly #running = new InFlight<string, DatabaseState>();

  async states({ settings, snapshots }: Gateway): Promise<States> {
    const all = [...snapshots.values()].map(async (view) => {
      // Clients other than operators may reach this port: it does not reveal the login.
      const why = (cause: unknown) => whyUnavailable(settings, view.name, cause, false);
      const isNoRoom = (cause: unknown) => outageIn(settings, view.name, cause)?.is === 'full';
      return [view.name, await this.#running.share(view.name, () => probe(view, why, isNoRoom))] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }
}

/**
 * @param why the sentence about an error
 * @param isNoRoom whether an error says that the server lets its user have no more connections
 */
async function probe(
  { connected, connectError, tables }: DatabaseSnapshot,
  why: (cause: unknown) => string,
  isNoRoom: (cause: unknown) => boolean,
): Promise<DatabaseState> {
  const down = (cause: unknown) => ({ up: false, why: why(cause), absent: [] });
  const up = {
    up: true,
    why: null,
    absent: [...tables].filter(([, table]) => typeof table === 'string').map(([name]) => name),
  };
  if (connected === null) return down(connectError?.cause);
  const { database, dialect } = connected;
  if (!database.isAway && performance.now() - database.heard() < recent) return up;
  const { used, max, waiting } = database.usage().calls;
  const isFull = database.isRemote && (used >= max || waiting > 0);
  const probed: Promise<unknown> = isFull
    ? besideCalls(database.sampler, dialect.probe, isNoRoom)
    : database.use((session) => session.run(dialect.probe, { deadline: probeTimeout }));
  const late = () => Promise.reject(new StatementTimeout('no answer', probeTimeout));
  return within(probed, probeTimeout, late).then(
    () => up,
    (error: unknown) => down(error),
  );
}

/** Probes by the session for tokens: it waits for no call, and a full pool does not prove a dead server. */
async function besideCalls(sampler: Sampler, probe: Statement, isNoRoom: (cause: unknown) => boolean): Promise<void> {
  const ask = () => sampler.inspect([probe]);
  // Its line may have been dropped unseen while nobody used it. The second session is a new one.
  await ask()
    .catch(ask)
    .catch((error: unknown) => {
      // The calls may have all connections that the server allows this user.
      if (!isNoRoom(error)) throw error;
    });
}
