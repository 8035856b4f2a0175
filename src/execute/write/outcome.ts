import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from '../../model/rows.ts';
import type { Lender } from '../connection/database.ts';

/** How a server tells what became of a commit whose answer was lost. */
export interface Outcome {
  /** A query for what the transaction under way is known by. */
  readonly id: string;
  /** Ends the transaction where it still runs, and gives `committed`, `aborted`, or another word while neither is certain. */
  ask(id: string): Statement;
}

/** How often, and after how many milliseconds each: a server that was restarted needs a moment. */
const times = 20;
const pause = 100;

/** @returns null where it cannot be known: the server is away, or may have forgotten */
export async function outcomeOf(database: Lender, ask: Statement): Promise<'committed' | 'aborted' | null> {
  for (let time = 1; time <= times; time++) {
    const answer = await database.use((session) => session.run(ask)).catch(() => undefined);
    const said = answer?.cells[0]?.[0];
    if (said === 'committed' || said === 'aborted') return said;
    if (said === null) return null;
    await sleep(pause);
  }
  return null;
}
