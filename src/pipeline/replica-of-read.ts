/** Decides which server answers a read: a replica that has caught up far enough, or the primary. */
import type { CallSessions } from '../execute/connection/call-sessions.ts';
import type { Spent } from '../execute/connection/meter.ts';
import { StatementTimeout, TooLarge } from '../execute/connection/session.ts';
import { Refusal } from '../model/errors.ts';
import type { ChosenReplica, Connected, Resolved } from '../tables/served.ts';
import type { Call } from './call.ts';

/** A read on its way to a server. */
export interface Reading {
  readonly call: Call;
  readonly resource: Resolved;
  readonly connected: Connected;
  readonly spent: Spent;
  /** The server of the last try, for the metrics: `primary`, or the name of a replica. */
  server: string;
}

/**
 * Chooses a replica for a cacheable read or a download; null if the primary must answer. A cached answer may lag by `maxStaleness`, so
 * the replica may, too. But it must have every commit whose bump is in the entry's key, so take the key before you call this.
 */
export async function replicaFor(reading: Reading, isDownload = false): Promise<ChosenReplica | null> {
  const { call, resource, spent } = reading;
  const { replicas, dependencies, settings, freshness } = resource;
  const isCached = freshness !== null && settings.cache.ttl > 0;
  if (replicas === null || call.refusesCached || !(isCached || isDownload)) return null;
  const { databases } = call.gateway.settings;
  const lag = isCached ? (databases.get(settings.database)?.maxStaleness ?? 0) : 0;
  const bumped = call.gateway.cache.generations.lastBumpTime(dependencies?.dependsOn ?? []);
  const replica = await replicas.choose(Math.max(call.received - lag, bumped), spent);
  if (replica !== null) reading.server = replica.name;
  return replica;
}

/**
 * Runs a cacheable read on a replica if one may answer it. If none may, or if it fails there, runs it on the primary.
 * @param read runs at most twice
 */
export async function readOnServer<T>(reading: Reading, read: (sessions: CallSessions) => Promise<T>): Promise<T> {
  const replica = await replicaFor(reading);
  if (replica !== null) {
    try {
      return await read(replica.sessions);
    } catch (error) {
      leaveReplica(reading, replica, error);
    }
  }
  return read(reading.connected.database.metered(reading.spent));
}

/**
 * After an error on a replica, returns so that the primary answers. Rethrows an error that would occur on the primary as well; a
 * read that timed out would be slow there, too.
 */
export function leaveReplica(reading: Reading, replica: ChosenReplica, error: unknown): void {
  const { call, connected } = reading;
  call.signal.throwIfAborted();
  if (error instanceof Refusal || error instanceof TooLarge || error instanceof StatementTimeout) throw error;
  const { kind } = connected.dialect.classifyError(error);
  if (kind === 'timeout' || kind === 'value' || kind === 'unreadable' || kind === 'too large') throw error;
  // Avoid the replica for a while if it is down, or if its replay holds a lock. Other errors don't count: clients can cause them at will.
  if (kind === 'connection' || kind === 'busy' || kind === 'retry') replica.pause();
  reading.server = 'primary';
}
