import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from '../../model/rows.ts';
import type { Sessions } from '../connection/call-sessions.ts';

/** The number of attempts, and the milliseconds between them: a restarted server needs a moment. */
const times = 20;
const pause = 100;

/** @returns null where the outcome stays unknown: the server is away, or may have forgotten the transaction */
export async function outcomeOf(database: Sessions, ask: Statement): Promise<'committed' | 'aborted' | null> {
  for (let time = 1; time <= times; time++) {
    const answer = await database.use((session) => session.run(ask)).catch(() => undefined);
    const said = answer?.cells[0]?.[0];
    if (said === 'committed' || said === 'aborted') return said;
    if (said === null) return null;
    await sleep(pause);
  }
  return null;
}
