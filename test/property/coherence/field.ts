import { startGateway } from '../../support/gateway.ts';
import { freshDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openTap } from '../../support/tap.ts';
import type { Field } from './check.ts';
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
