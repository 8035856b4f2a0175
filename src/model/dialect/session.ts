import type { ErrorKind } from '../catalog.ts';
import type { Statement } from '../rows.ts';

/** What a session is for. */
export interface SessionUse {
  /** The statement timeout in milliseconds. */
  readonly statementTimeout: number;
  /**
   * Whether the session runs write transactions. If its connection is lost, the server must roll back and release the row locks within
   * half a minute. Other sessions may be silent for longer: a client may pause while it reads a download.
   */
  readonly writes: boolean;
}

/** How sessions are set up and probed, and what a driver's errors mean. */
export interface SessionDialect {
  /** SQL for every new session, so that no default of a server, role or database changes what we read (time zone, quoting …). */
  readonly sessionSetup: (use: SessionUse) => readonly string[];
  /** SQL after `sessionSetup` for sessions that must not write: makes each of their transactions read-only. */
  readonly readOnlySetup: string;
  /**
   * SQL after `sessionSetup` for sessions with a read replica: a lock timeout of a second at most. A replica may hold a lock for a long
   * time while it applies a change from the primary.
   */
  readonly replicaSetup: string;
  /** For health checks: fails wherever reads and writes would. A Galera node without a quorum still answers `SELECT 1`. */
  readonly probe: Statement;
  /** What a driver's error means. */
  classifyError(error: unknown): ErrorKind;
  /**
   * Declares that the database's encoding lacks this character. From now on a filter with it finds nothing; otherwise the server would
   * refuse the value.
   */
  exclude(character: string): void;
}
