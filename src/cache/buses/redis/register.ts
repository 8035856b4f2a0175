import type { Moment } from '../../../values/clocks.ts';
import { inSlices, type Steps } from '../../../values/slices.ts';
import { infoOf, newestIn, valuesIn, versionOf } from './answers.ts';
import { type Command, type RedisConnection, within } from './connection.ts';
import { type KeptSuspension, type keysOf, mostBytes, mostSuspensions, nonsense, readKept } from './messages.ts';
import { type Member, mostMembers, type Registration, Registry } from './registry.ts';
import { triedRights } from './rights.ts';

/** Milliseconds after which a member that is gone leaves no trace. */
const traces = 60_000;

/** A member that has just been registered. */
export interface Registered {
  readonly registry: Registry;
  /** As the server says it. */
  readonly version: string;
  /** Names the server's process, and its data: another after each failover. Null where the server does not say both. */
  readonly run: string | null;
  /** When the registration was sent. */
  readonly sent: Moment;
  /** The newest entry of the stream. */
  readonly newest: string;
  readonly listed: readonly KeptSuspension[];
  /** From when every holder of a lease is registered at the server, by `performance.now()`. */
  readonly trusted: number;
  /** Whether the server has lost nothing since the last registration of the process: what it does not list has ended. */
  readonly isSame: boolean;
}

/**
 * Registers a member, in place of the last registration of its process.
 * @throws where the server cannot be used
 */
export async function register(
  commands: RedisConnection,
  keys: ReturnType<typeof keysOf>,
  member: Member,
  before: Registration | null,
): Promise<Registered> {
  const { name, lease } = member;
  const { members, news, suspensions } = keys;
  const acks = keys.acks(name);
  // It looks at each one, up to as many as there may be: of a few it would not see the largest.
  const bytesOf = async (key: string, most: number) =>
    Number(await within(lease, commands.ask(['MEMORY', 'USAGE', key, 'SAMPLES', String(most)])));
  const [info, open, suspensionBytes, memberBytes, registry] = await Promise.all([
    within(lease, commands.ask(['INFO', 'server'])),
    within(lease, commands.ask(['HLEN', suspensions])),
    bytesOf(suspensions, mostSuspensions),
    bytesOf(members, mostMembers),
    Registry.open(commands, members, member, before?.clock ?? null),
  ]);
  if (Number(open) > mostSuspensions || suspensionBytes > mostBytes) throw nonsense('suspensions');
  if (memberBytes > mostBytes) throw nonsense('members');
  const asked = [
    ['XREVRANGE', news, '+', '-', 'COUNT', '1'],
    ['HGETALL', suspensions],
    ['ZSCORE', members, before?.name ?? name],
    // Its lease has ended: no write has to wait for it.
    ['ZREM', members, before?.name ?? ''],
    ['ZREMRANGEBYSCORE', members, '-inf', String(registry.clock.time - traces)],
    // For acknowledgements, which do not make it anew after it has expired.
    ['XADD', acks, '*', 'by', name, 'heard', '0-0'],
    ['PEXPIRE', acks, String(traces)],
    ...triedRights(keys),
  ];
  const { sent, replies } = await within(lease, registry.exchange(asked, true));
  const [newest, kept, registered] = replies;
  const process = infoOf(info, 'run_id');
  const run = process === null || registry.data === null ? null : `${process} ${registry.data}`;
  // Unless the server is as it was at the last registration, it may have lost those of others, and their suspensions. Each of them
  // notices that before its lease ends.
  const isSame = before !== null && before.run !== null && before.run === run && registered !== null;
  return {
    ...{ registry, version: versionOf(info), run, sent, isSame },
    newest: newestIn(newest),
    listed: await inSlices(keptIn(kept)),
    trusted: isSame ? before.trusted : performance.now() + lease,
  };
}

/** Throws where one of them is no suspension. */
function* keptIn(answer: unknown): Steps<readonly KeptSuspension[]> {
  const kept: KeptSuspension[] = [];
  for (const text of valuesIn(answer)) {
    yield;
    kept.push(readKept(text));
  }
  return kept;
}

/** Commands that give a member a lease: the newest entry, and 1 where its acknowledgements are still there. */
export const renewing = (keys: ReturnType<typeof keysOf>, name: string): readonly Command[] => [
  ['XREVRANGE', keys.news, '+', '-', 'COUNT', '1'],
  ['PEXPIRE', keys.acks(name), String(traces)],
  ...triedRights(keys),
];

/** Removes a member, so that no write waits for it. @param lease milliseconds */
export async function unregister(
  commands: RedisConnection,
  { members, acks }: ReturnType<typeof keysOf>,
  name: string,
  lease: number,
): Promise<void> {
  const leaving = [
    ['ZREM', members, name],
    ['DEL', acks(name)],
  ];
  await within(lease, commands.atOnce(leaving)).catch(() => undefined);
}
