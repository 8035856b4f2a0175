import type { CommitMarkerSource } from '../commit-marker.ts';
import type { LogCheck } from '../feed.ts';
import type { Replication } from '../replication.ts';

/** Notices the commits of other clients, and the lag of replicas. */
export interface ChangeDialect {
  /** Sources of commit markers, strings that change with every commit; the best first. */
  readonly commitMarkers: readonly CommitMarkerSource[];
  /** Whether the server's log can be read for the names of tables that other clients write; null if we read no log of this engine. */
  readonly feed: LogCheck | null;
  /** Compares the log positions of replicas with the primary's. */
  readonly replication: Replication;
}
