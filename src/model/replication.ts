import type { Answer } from './rows.ts';

/**
 * How far replicas are behind their primary, by positions in its log. The time of the last transaction that a replica has applied
 * says nothing while there are no writes. Pure.
 */
export interface Replication {
  /** Asks a primary how far its log is, and who it is. Reads may wait for it: it is cheap. */
  readonly primaryQuery: string;
  /** A position that covers every commit made before the query was sent; null: this server has none. */
  position(answer: Answer): Position | null;
  /** Asks a replica for its identity and its position. Each read on it waits for that: it is cheap. */
  readonly replicaQuery: string;
  state(answer: Answer): ReplicaState;
  /** Whether a replica of the same cluster shows every commit up to a position. It does from then on, as long as its server runs. */
  hasReached(has: readonly string[], log: readonly string[]): boolean;
  /** Why a server of the same cluster has something that is not in the log up to a position; null: it has nothing else. */
  exceeds(has: readonly string[], log: readonly string[]): string | null;
}

/** `cluster`: the cluster and the database of the session, the same text as that of its replicas. */
export interface Position {
  readonly cluster: string;
  readonly log: readonly string[];
}

/**
 * What a server said of itself. `isReplica`: it applies the log of another server, and is read-only for all others. `cluster`: as
 * above.
 */
export type ReplicaState =
  | { readonly isReplica: true; readonly cluster: string; readonly has: readonly string[] }
  | { readonly isReplica: false; readonly why: string };

/** Whether a replica shows every commit up to a position. Positions of different clusters are never compared: their numbers may be equal. */
export const hasReached = ({ hasReached }: Replication, state: ReplicaState, { cluster, log }: Position): boolean =>
  state.isReplica && state.cluster === cluster && hasReached(state.has, log);

/**
 * Why a server in this state is no replica of the primary; null: it is one.
 * @param position of the primary. Of one that was asked for before the state, only null says something
 */
export function strays({ exceeds }: Replication, state: ReplicaState, { cluster, log }: Position): string | null {
  if (!state.isReplica) return state.why;
  if (state.cluster !== cluster) return 'it is a replica of another server, or has another database';
  return exceeds(state.has, log);
}
