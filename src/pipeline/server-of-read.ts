/** Which server answers a read: a replica that shows enough, or the primary. */
import type { CallSessions } from '../execute/connection/call-sessions.ts';
import type { Spent } from '../execute/connection/meter.ts';
import { SchemaChanged, StatementTimeout, TooLarge } from '../execute/connection/session.ts';
import { dump, type Piece } from '../execute/dump/dump.ts';
import type { ReadAnywhere } from '../execute/replication/replica-set.ts';
import { NotOnReplica } from '../execute/replication/replica-state.ts';
import type { Connected, Gateway, Resolved } from '../gateway/gateway.ts';
import { shownSince } from '../gateway/replicas.ts';
import type { Dialect } from '../model/dialect.ts';
import { Refusal } from '../model/errors.ts';
import type { Read } from '../model/plan.ts';
import type { DelimitedLines } from '../model/rows.ts';

export interface Reading {
  readonly gateway: Gateway;
  readonly resource: Resolved;
  readonly connected: Connected;
  /** Whether the client asks for what the primary has now (`Cache-Control: no-cache`). */
  readonly isOfPrimary: boolean;
  /** When the request came, by `performance.now()`. */
  readonly asked: number;
  readonly spent: Spent;
  readonly gone: AbortSignal;
}

/**
 * A read with the sessions of a server. The signal is aborted when no client waits any more, or when the server does not respond.
 */
export type ReadWork<T> = (sessions: CallSessions, gone: AbortSignal) => Promise<T>;

/**
 * Runs a read.
 * @param on called with the name of each server on which it is tried, before it is
 * @param work may be run a second time, on the primary
 */
export async function readAnywhere<T>(
  { gateway, resource, connected, isOfPrimary, asked, spent, gone }: Reading,
  on: (server: string) => void,
  work: ReadWork<T>,
): Promise<T> {
  const { replicas } = resource;
  if (replicas === null || isOfPrimary) {
    on('primary');
    return work(connected.database.metered(spent), gone);
  }
  const since = shownSince(gateway, resource, asked);
  const judge = judgeBy(connected.dialect);
  const reading = { resource: resource.id, since, spent, gone, work, judge };
  return replicas.read(reading, (server) => on(serverName(server)));
}

/**
 * Reads all rows of a plan.
 * @param on called with the name of the server that reads them, before the first
 */
export function dumpAnywhere(
  { gateway, resource, connected, isOfPrimary, asked, gone }: Reading,
  plan: Read,
  wanted: DelimitedLines | null,
  on: (server: string) => void,
): AsyncGenerator<Piece, void> {
  const { database, dialect } = connected;
  const { replicas } = resource;
  if (replicas === null || isOfPrimary) return dump(database, dialect, plan, wanted, gone);
  const since = shownSince(gateway, resource, asked);
  const reading = { resource: resource.id, since, judge: judgeBy(dialect) };
  return replicas.dump(reading, [dialect, plan, wanted, gone], (server) => on(serverName(server)));
}

/**
 * Another definition of the table, or no right to it, stays for some time, and so may a lock. A lost connection, or a conflict with
 * the replay, does not. A read that is slow is not tried twice.
 */
const judgeBy =
  ({ classifyError }: Dialect): ReadAnywhere<unknown>['judge'] =>
  (error) => {
    if (error instanceof NotOnReplica) return 'ask the primary';
    if (error instanceof Refusal || error instanceof TooLarge || error instanceof StatementTimeout) return 'final';
    if (error instanceof SchemaChanged) return 'leave it to the primary';
    const meaning = classifyError(error);
    const { kind } = meaning;
    if (kind === 'timeout' || kind === 'value' || kind === 'too large') return 'final';
    const stays = kind === 'schema' || kind === 'permission' || (kind === 'retry' && meaning.ofLock === true);
    return stays ? 'leave it to the primary' : 'ask the primary';
  };

const serverName = (server: number | 'primary'): string => (server === 'primary' ? server : `replica ${server + 1}`);
