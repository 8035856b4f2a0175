/** Positions of different clusters are never compared: their numbers may be equal. Pure. */
import type { Position, ReplicaState, Replication } from '../../model/replication.ts';

const otherCluster = 'it is a replica of another server, or has another database';

/** Whether a replica shows every commit up to a position. */
export const hasReached = (replication: Replication, state: ReplicaState, { cluster, log }: Position): boolean =>
  state.isReplica && state.cluster === cluster && replication.hasReached(state.has, log);

/**
 * Why a server in this state is no replica of the primary; null: it is one.
 * @param position of the primary. Of one that was asked for before the state, only null says something
 */
export function strays(replication: Replication, state: ReplicaState, { cluster, log }: Position): string | null {
  if (!state.isReplica) return state.why;
  return state.cluster === cluster ? replication.exceeds(state.has, log) : otherCluster;
}
