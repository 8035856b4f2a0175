import { startGateway } from '../../support/gateway.ts';
import { freshDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openTap } from '../../support/tap.ts';
import { check, type Effort, type Field, type Verdict } from './check.ts';
import { configuration, create, empty, worldOf } from './world.ts';

export interface OpenField extends Field {
  /** Starts over: empty tables and an empty cache. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** A gateway in this process with its own tables. */
export async function openField(engine: ServerEngine): Promise<OpenField> {
  const fresh = await freshDatabase(engine);
  await create(fresh);
  const tap = await openTap(fresh.url);
  const config = configuration(engine.client, tap.url);
  const gateway = await startGateway(config);
  return {
    urls: [gateway.url],
    world: worldOf(engine.client),
    tap,
    look: fresh.query,
    async renew() {
      await empty(fresh);
      const complaints = await gateway.reload(config);
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
    async close() {
      await gateway.close();
      tap.close();
      await fresh.drop();
    },
  };
}

/**
 * Checks for up to `rounds` rounds, each with the next seed, until a commit had an unknown outcome or an answer was stale. Each round starts on a
 * renewed field, because the checker's history starts with empty tables.
 * @returns the verdict of the last round
 */
export async function checkInRounds(field: OpenField, effort: Effort, rounds: number): Promise<Verdict> {
  const verdict = await check(field, effort);
  if (verdict.stale !== null || verdict.counts.unknown > 0 || rounds === 1) return verdict;
  await field.renew();
  return checkInRounds(field, { ...effort, seed: effort.seed + 1 }, rounds - 1);
}
