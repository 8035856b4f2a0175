import type { Position, ReplicaState, Replication } from '../../model/replication.ts';
import type { Answer, Statement } from '../../model/rows.ts';
import { strays } from './compare.ts';
import type { PrimaryLog } from './primary-log.ts';

/** The replica cannot answer a read that the primary can. */
export class NotOnReplica extends Error {}

/** The replica does not respond. */
export class Silent extends NotOnReplica {}

export const silence = 'it does not respond';
export const noPosition = 'its primary shows no positions';

/** Runs a statement in one session. */
export type Ask = (statement: Statement) => Promise<Answer>;

/** Milliseconds in which a replica must give its position: one row of constants. */
const lookTimeout = 500;

/**
 * Asks the server of a session for its state.
 * @param before its state in this session not long ago: then the server is asked for its position only
 * @throws Silent; else the errors of the server
 */
export async function stateOf(
  { replicaQuery, progressQuery, state, progress }: Replication,
  run: Ask,
  before: ReplicaState | null,
): Promise<ReplicaState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silent(silence)), lookTimeout);
  });
  const asked = run({ text: before === null ? replicaQuery : progressQuery, values: [] });
  asked.catch(() => undefined);
  try {
    const answer = await Promise.race([asked, late]);
    return before === null ? state(answer) : progress(before, answer);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether the primary is known to have all that a server has. One that only has reached the position may be ahead of the primary: the
 * replica of an old one after a failover, or after the numbers of the log have begun anew.
 */
export function isWithin(
  replication: Replication,
  { newest }: PrimaryLog,
  state: ReplicaState,
  position: Position,
): boolean {
  if (strays(replication, state, position) === null) return true;
  return newest !== null && strays(replication, state, newest) === null;
}

/**
 * Asks the primary whether it has all that a server has. Its position is newer than the state, and is shared by all reads that wait:
 * there is at most one such question for each commit that the replica has applied.
 * @returns why it has not; null: it has
 * @throws NotOnReplica where the primary cannot be asked
 */
export async function straysNow(
  replication: Replication,
  primary: PrimaryLog,
  state: ReplicaState,
): Promise<string | null> {
  const position = await primary.since(performance.now()).catch((cause: unknown) => {
    throw new NotOnReplica('its primary cannot be asked', { cause });
  });
  return position === null ? noPosition : strays(replication, state, position);
}
