import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from '../../../model/bus.ts';
import { versionOf } from './answers.ts';
import { connectRedis, findRedis, within } from './connection.ts';
import { Membership, type MembershipOptions } from './membership.ts';
import { Suspensions } from './suspensions.ts';

/** Milliseconds. */
const patience = 2000;

/** Logs in to a server, changes nothing, and returns its version. Throws where it cannot be used. */
export async function lookAtRedis(server: RedisServer): Promise<string> {
  const connection = await connectRedis(await findRedis(server, patience), server, patience, () => undefined);
  try {
    await within(patience, connection.ask(['TIME']));
    return versionOf(
      await within(
        patience,
        connection.ask(['INFO', 'server']).catch(() => ''),
      ),
    );
  } finally {
    connection.close();
  }
}

/** Whether a version, as `lookAtRedis` returns it, is too old. */
export function isTooOld(version: string): boolean {
  const [, major, minor] = /^Redis (\d+)\.(\d+)/.exec(version) ?? [];
  return major !== undefined && Number(major) * 100 + Number(minor) < 602;
}

/**
 * Is a member of a group for half a lease, like a gateway that writes nothing. Nothing else tries all rights that a gateway needs.
 * Throws the cause where it does not stay a member.
 */
export async function stayInGroup(options: Pick<MembershipOptions, 'server' | 'group' | 'lease'>): Promise<void> {
  const no = () => false;
  const own = { has: no, wasNamed: no, isNamed: no, answer: () => undefined };
  const suspensions = new Suspensions(own, () => undefined);
  const membership = await Membership.open({ ...options, suspensions, namesOf: () => [], before: null });
  const cause = await Promise.race([membership.ended, sleep(options.lease / 2)]);
  if (membership.hasEnded) throw cause;
  await membership.close();
}
