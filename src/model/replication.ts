import type { Answer } from './rows.ts';

/**
 * Finds out how far replicas are behind their primary, by positions in the primary's log. (The time of the last transaction that a
 * replica has applied says nothing while there are no writes.) Pure.
 */
export interface Replication {
  /** Asks a primary for its position and its identity. Must be cheap, because reads may wait for it. */
  readonly primaryQuery: string;
  /** A position that covers every commit made before the query was sent; null if this server has no positions. */
  position(answer: Answer): Position | null;
  /** Asks a replica for its position and its identity. Must be cheap, because each read on the replica waits for it. */
  readonly replicaQuery: string;
  state(answer: Answer): ReplicaState;
  /** Whether a replica of the same cluster shows every commit up to a position. If so, it keeps doing so until a restart. */
  hasReached(has: readonly string[], log: readonly string[]): boolean;
  /** Why a server of the same cluster is ahead of a log position: it has commits that the log up to there lacks. Null if it is not. */
  exceeds(has: readonly string[], log: readonly string[]): string | null;
}

/** A position in a primary's log. `cluster`: a text that is the same for the same database on the primary and its replicas. */
export interface Position {
  readonly cluster: string;
  readonly log: readonly string[];
}

/**
 * What a server reports about itself. `isReplica`: it applies the log of another server, and clients cannot write to it. `cluster`: as
 * in `Position`.
 */
export type ReplicaState =
  | { readonly isReplica: true; readonly cluster: string; readonly has: readonly string[] }
  | { readonly isReplica: false; readonly why: string };

/** Whether a replica shows every commit up to a position. False for another cluster, where the same number means something else. */
export const hasReached = ({ hasReached }: Replication, state: ReplicaState, { cluster, log }: Position): boolean =>
  state.isReplica && state.cluster === cluster && hasReached(state.has, log);

/**
 * Why a server in this state is no replica of the primary; null if it is one.
 * @param position the primary's position. If it was read before the state, the replica may have passed it meanwhile: then only null is
 *   reliable
 */
export function whyNotReplica(
  { exceeds }: Replication,
  state: ReplicaState,
  { cluster, log }: Position,
): string | null {
  if (!state.isReplica) return state.why;
  if (state.cluster !== cluster) return 'it is a replica of another server, or has another database';
  return exceeds(state.has, log);
}
