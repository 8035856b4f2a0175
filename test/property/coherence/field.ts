import { startGateway } from '../../support/gateway.ts';
import { freshDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openTap } from '../../support/tap.ts';
import { check, type Effort, type Field, type Verdict } from './check.ts';
import { configuration, create, empty, worldOf } from './world.ts';

export interface OpenField extends Field {
  /** As new: empty tables, and nothing kept. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** A gateway in this process over tables of its own. */
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
 * Checks in at most so many rounds, each with the next seed, until one has met a commit of unknown outcome or a stale answer. Each further round begins on a
 * renewed field: the history of the checker begins with empty tables.
 * @returns the verdict of the last round
 */
export async function checkInRounds(field: OpenField, effort: Effort, rounds: number): Promise<Verdict> {
  const verdict = await check(field, effort);
  if (verdict.stale !== null || verdict.counts.unknown > 0 || rounds === 1) return verdict;
  await field.renew();
  return checkInRounds(field, { ...effort, seed: effort.seed + 1 }, rounds - 1);
}
