import type { Answer } from './rows.ts';

/**
 * How far replicas are behind their primary, by positions in its log: the time of the last transaction that a replica has applied
 * says nothing while nobody writes. Pure.
 */
export interface Replication {
  /** Asks a primary how far its log is. */
  readonly primaryQuery: string;
  /** The text of a position that covers every commit made before the query was sent; null: this server has none. */
  position(answer: Answer): string | null;
  /** Asks a replica. */
  readonly replicaQuery: string;
  state(answer: Answer): ReplicaState;
  /** Whether a replica in this state shows every commit up to a position. It does from then on, as long as its server runs. */
  hasReached(state: ReplicaState, position: string): boolean;
  /**
   * Why a server in this state is no replica of the primary; null: it is one.
   * @param position of the primary, asked for after the state
   */
  strays(state: ReplicaState, position: string): string | null;
}

/** What a server said of itself. `isReplica`: it applies the log of another, and lets nobody else write. */
export type ReplicaState =
  | { readonly isReplica: true; readonly has: readonly string[] }
  | { readonly isReplica: false; readonly why: string };
