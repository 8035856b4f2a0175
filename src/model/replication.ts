import type { Answer } from './rows.ts';

/**
 * How far replicas are behind their primary, by positions in its log. The time of the last transaction that a replica has applied
 * says nothing while there are no writes. Pure.
 */
export interface Replication {
  /** Asks a primary for the cluster and the database of its session: the same text as that of its replicas. */
  readonly clusterQuery: string;
  /** Asks a primary how far its log is. Reads may wait for it: it is cheap. */
  readonly primaryQuery: string;
  /** The text of a position that covers every commit made before the query was sent; null: this server has none. */
  position(answer: Answer): string | null;
  /** Asks a replica for its identity and its position. */
  readonly replicaQuery: string;
  state(answer: Answer): ReplicaState;
  /** Asks only how far it is by now. */
  readonly progressQuery: string;
  /** @param before its state in the same session, not long ago */
  progress(before: ReplicaState, answer: Answer): ReplicaState;
  /** Whether a replica in this state shows every commit up to a position. It does from then on, as long as its server runs. */
  hasReached(state: ReplicaState, position: string): boolean;
  /**
   * Why a server in this state is no replica of the primary; null: it is one.
   * @param position of the primary, asked for after the state
   */
  strays(state: ReplicaState, position: string): string | null;
}

/**
 * What a server said of itself. `isReplica`: it applies the log of another server, and is read-only for all others. `cluster`: as
 * above.
 */
export type ReplicaState =
  | { readonly isReplica: true; readonly cluster: string; readonly has: readonly string[] }
  | { readonly isReplica: false; readonly why: string };
