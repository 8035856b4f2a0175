import type { Knex } from 'knex';
import type { Answer, Statement } from '../plan.ts';

/** How one driver is spoken to. `raw` is its connection, which only the member that made it looks into. */
export interface Driver {
  /** What knex must know to make connections. */
  readonly knex: Pick<Knex.Config, 'client' | 'connection'>;
  /** Whether the engine has but one session. */
  readonly single: boolean;
  /** Whether a running statement can be ended. Where it cannot, it is waited for, whatever our clock says. */
  readonly interruptible: boolean;
  /** Runs one statement. Rows past `maxBytes` are not kept: the statement is cancelled, and `TooLarge` thrown. */
  run(raw: unknown, statement: Statement, maxBytes: number): Promise<Answer>;
  /** Runs session settings, several statements in one text where the engine takes them. */
  setup(raw: unknown, text: string): Promise<void>;
  /** Ends the running statement on the server, over a connection of its own; the session must be discarded after it. */
  cancel(raw: unknown): Promise<void>;
  /** Whether the connection is lost with this error. It may take a moment until the driver itself knows. */
  isLost(error: unknown): boolean;
  /** Drops the connection without ceremony. */
  destroy(raw: unknown): void;
}

/** The result is larger than it may be (`limits.responseBytes`). */
export class TooLarge extends Error {}

/** Our clock ended the statement (`statementTimeout`, `totalBudget`). */
export class Overdue extends Error {}

/** The result's columns are of other types than the catalogue says: the table has changed since it was read. */
export class Retyped extends Error {}

/** No connection was free within `pool.acquireTimeout`. */
export class Busy extends Error {}

/** Bytes a row takes on the wire, nearly: what `maxBytes` counts. */
export function weigh(row: readonly unknown[]): number {
  let bytes = 0;
  for (const cell of row) bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length + 3 : 5;
  return bytes;
}
