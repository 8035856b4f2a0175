import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from '../../model/rows.ts';
import type { Sessions } from '../connection/call-sessions.ts';

/** How often we ask, and the milliseconds between two queries: a server that restarts needs a moment. */
const attempts = 20;
const pauseMs = 100;

/**
 * Asks the server whether a transaction was committed, after the answer to its COMMIT was lost.
 * @returns null if that stays unknown: the server does not respond, or no longer remembers the transaction
 */
export async function outcomeOf(database: Sessions, ask: Statement): Promise<'committed' | 'aborted' | null> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answer = await database.use((session) => session.run(ask)).catch(() => undefined);
    const outcome = answer?.cells[0]?.[0];
    if (outcome === 'committed' || outcome === 'aborted') return outcome;
    if (outcome === null) return null;
    await sleep(pauseMs);
  }
  return null;
}
