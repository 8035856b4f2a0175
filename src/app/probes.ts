import { withTimeout } from '../execute/connection/deadline.ts';
import type { MarkerSampler } from '../execute/connection/sampler.ts';
import { StatementTimeout } from '../execute/connection/session.ts';
import type { Statement } from '../model/rows.ts';
import type { DatabaseSnapshot } from '../tables/served.ts';
import { outageIn, whyUnavailable } from '../tables/snapshot.ts';
import { InFlight } from '../values/in-flight.ts';
import type { DatabaseState } from '../watch/admin.ts';
import type { Gateway } from './gateway.ts';
import type { States } from './health.ts';

/** A server that has run a statement this recently counts as up, without a probe. */
const recentMs = 2000;
/** Milliseconds within which a database must answer. */
const probeTimeoutMs = 2000;

/** Probes each database. Concurrent requests share one probe. */
export class Probes {
  readonly #running = new InFlight<string, DatabaseState>();

  async states({ settings, snapshots }: Gateway): Promise<States> {
    const all = [...snapshots.values()].map(async (view) => {
      // The admin port may be open to more people than the operators, so the reason names neither user nor database.
      const why = (cause: unknown) => whyUnavailable(settings, view.name, cause, false);
      const isFullServer = (cause: unknown) => outageIn(settings, view.name, cause)?.is === 'full';
      return [view.name, await this.#running.share(view.name, () => probe(view, why, isFullServer))] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }
}

/**
 * @param why returns a sentence about an error
 * @param isFullServer whether an error says that the server allows this user no more connections
 */
async function probe(
  { connected, connectError, tables }: DatabaseSnapshot,
  why: (cause: unknown) => string,
  isFullServer: (cause: unknown) => boolean,
): Promise<DatabaseState> {
  const down = (cause: unknown) => ({ up: false, why: why(cause), absent: [] });
  const up = {
    up: true,
    why: null,
    absent: [...tables].filter(([, table]) => typeof table === 'string').map(([name]) => name),
  };
  if (connected === null) return down(connectError?.cause);
  const { database, dialect } = connected;
  if (!database.isAway && performance.now() - database.lastAnswerAt() < recentMs) return up;
  const { used, max, waiting } = database.usage().calls;
  const isFull = database.isRemote && (used >= max || waiting > 0);
  const probed: Promise<unknown> = isFull
    ? probeOutsidePool(database.sampler, dialect.probe, isFullServer)
    : database.use((session) => session.run(dialect.probe, { deadline: probeTimeoutMs }));
  const late = () => Promise.reject(new StatementTimeout('no answer', probeTimeoutMs));
  return withTimeout(probed, probeTimeoutMs, late).then(
    () => up,
    (error: unknown) => down(error),
  );
}

/** Probes on the session that reads commit markers: on a full pool, the probe would time out although the server is up. */
async function probeOutsidePool(
  sampler: MarkerSampler,
  probe: Statement,
  isFullServer: (cause: unknown) => boolean,
): Promise<void> {
  const ask = () => sampler.inspect([probe]);
  // The session may have lost its connection while it was idle, so we retry once: that opens a new one.
  await ask()
    .catch(ask)
    .catch((error: unknown) => {
      // If the server only refuses more connections for this user, it is up: our own calls may hold all of them.
      if (!isFullServer(error)) throw error;
    });
}
