/** Which server answers a read: a replica that shows enough, or the primary. */

import type { Gateway } from '../app/gateway.ts';
import type { CallSessions } from '../execute/connection/call-sessions.ts';
import type { Spent } from '../execute/connection/meter.ts';
import { StatementTimeout, TooLarge } from '../execute/connection/session.ts';
import { dump, type Piece } from '../execute/dump/dump.ts';
import { Refusal } from '../model/errors.ts';
import type { Read } from '../model/plan.ts';
import type { DelimitedLines } from '../model/rows.ts';
import type { ChosenReplica, Connected, Resolved } from '../tables/served.ts';

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
 * Runs a read for the cache.
 * @param on called with the name of each server on which it is tried, before it is
 * @param work may be run a second time, on the primary
 */
export async function readAnywhere<T>(
  reading: Reading,
  on: (server: string) => void,
  work: (sessions: CallSessions) => Promise<T>,
): Promise<T> {
  const { resource, connected, spent } = reading;
  const replica = isCached(resource) ? await replicaFor(reading) : null;
  if (replica !== null) {
    on(replica.name);
    try {
      return await work(replica.sessions);
    } catch (error) {
      failed(reading, replica, error);
    }
  }
  on('primary');
  return work(connected.database.metered(spent));
}

/** Reads all rows of a plan. @param on as above */
export async function* dumpAnywhere(
  reading: Reading,
  plan: Read,
  wanted: DelimitedLines | null,
  on: (server: string) => void,
): AsyncGenerator<Piece, void> {
  const { database, dialect } = reading.connected;
  const replica = await replicaFor(reading);
  if (replica !== null) {
    on(replica.name);
    let isBegun = false;
    try {
      for await (const piece of dump(replica.sessions, dialect, plan, wanted, reading.gone)) {
        isBegun = true;
        yield piece;
      }
      return;
    } catch (error) {
      if (isBegun && !reading.gone.aborted) throw error;
      failed(reading, replica, error);
    }
  }
  on('primary');
  yield* dump(database, dialect, plan, wanted, reading.gone);
}

const isCached = ({ freshness, settings }: Resolved): boolean => freshness !== null && settings.cache.ttl > 0;

/**
 * Null: the primary answers. A cached answer may be `maxStaleness` behind, so a read for the cache may be, too. But it shows all that
 * has invalidated older answers: its key says so. Take the key first.
 */
async function replicaFor({ gateway, resource, isOfPrimary, asked, spent }: Reading): Promise<ChosenReplica | null> {
  const { replicas, dependencies, settings } = resource;
  if (replicas === null || isOfPrimary) return null;
  const lag = isCached(resource) ? (gateway.settings.databases.get(settings.database)?.maxStaleness ?? 0) : 0;
  const bumped = gateway.cache.generations.bumpedAt(dependencies?.dependsOn ?? []);
  return replicas.choose(Math.max(asked - lag, bumped), spent);
}

/** Throws an error that is the answer: the primary would have the same one, or a slow read would be slow there, too. */
function failed({ connected, gone }: Reading, replica: ChosenReplica, error: unknown): void {
  gone.throwIfAborted();
  if (error instanceof Refusal || error instanceof TooLarge || error instanceof StatementTimeout) throw error;
  const { kind } = connected.dialect.classifyError(error);
  if (kind === 'timeout' || kind === 'value' || kind === 'unreadable' || kind === 'too large') throw error;
  // It is lost, or holds a lock for what it applies. After any other error, which clients can cause, it answers the next read.
  if (kind === 'connection' || kind === 'busy' || kind === 'retry') replica.rest();
}
