/** Which server answers a read: a replica that shows enough, or the primary. */
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
  /** The server on which it was tried last, for the metrics: `primary`, or the name of a replica. */
  server: string;
}

/**
 * The replica for a read that may be cached, or for a download; null: the primary answers. A cached answer may be `maxStaleness` behind,
 * so such a read may be, too. But it shows all that has invalidated older answers, because its key says so: take the key first.
 */
export async function replicaFor(reading: Reading, isDownload = false): Promise<ChosenReplica | null> {
  const { call, resource, spent } = reading;
  const { replicas, dependencies, settings, freshness } = resource;
  const isCached = freshness !== null && settings.cache.ttl > 0;
  if (replicas === null || call.fresh || !(isCached || isDownload)) return null;
  const { databases } = call.gateway.settings;
  const lag = isCached ? (databases.get(settings.database)?.maxStaleness ?? 0) : 0;
  const bumped = call.gateway.cache.generations.bumpedAt(dependencies?.dependsOn ?? []);
  const replica = await replicas.choose(Math.max(call.received - lag, bumped), spent);
  if (replica !== null) reading.server = replica.name;
  return replica;
}

/**
 * After an error on a replica, lets the primary answer: returns null. Throws an error that is the answer: the primary would have the same one, or a
 * slow read would be slow there, too.
 */
export function leaveReplica(reading: Reading, replica: ChosenReplica, error: unknown): null {
  const { call, connected } = reading;
  call.signal.throwIfAborted();
  if (error instanceof Refusal || error instanceof TooLarge || error instanceof StatementTimeout) throw error;
  const { kind } = connected.dialect.classifyError(error);
  if (kind === 'timeout' || kind === 'value' || kind === 'unreadable' || kind === 'too large') throw error;
  // It is lost, or holds a lock for what it applies. After any other error, which clients can cause, it answers the next read.
  if (kind === 'connection' || kind === 'busy' || kind === 'retry') replica.rest();
  reading.server = 'primary';
  return null;
}
