import { type Moment, momentNow } from '../../../values/clocks.ts';
import { infoOf, membersIn, timeIn } from './answers.ts';
import type { Awake } from './awake.ts';
import { type Command, type RedisConnection, within } from './connection.ts';
import { nonsense } from './messages.ts';

/** Names are read up to here: a stranger may have written millions. */
export const mostMembers = 10_000;

/** A registration at a server. */
export interface Registration {
  readonly name: string;
  /** As `Registered.run`. */
  readonly run: string | null;
  /** From then on, by `performance.now()`, every holder of a lease is registered at the server, and lists every suspension. */
  readonly trusted: number;
  readonly clock: Clock | null;
}

/** The member that is registered. */
export interface Member {
  readonly name: string;
  /** Milliseconds. */
  readonly lease: number;
  readonly awake: Awake;
}

/** The server's clock, in milliseconds, at a moment of ours; never behind. */
interface Clock {
  readonly at: number;
  readonly time: number;
}

/** Milliseconds by which the server's clock may be set forward unnoticed: registrations last as much longer. */
const slack = 50;

/** @param now its clock, which was asked for no later than now */
const isSetForward = (before: Clock, now: Clock): boolean =>
  now.time - before.time > performance.now() - before.at + slack;

/** The registration of a member at the server, and those of the others. It expires when the lease of the member may have ended. */
export class Registry {
  /** Members whose registration has not expired, and until when it lasts by the server's clock: each renewal moves that. */
  members: ReadonlyMap<string, number> = new Map();
  readonly #connection: RedisConnection;
  readonly #key: string;
  readonly #member: Member;
  #clock: Clock;
  #renewals = 0;
  /** When each question that has no answer yet was sent, the oldest first. */
  readonly #unanswered = new Set<Moment>();
  /** Names the server's data: another after each failover. Null where the server has not said it. */
  data: string | null = null;
  /**
   * From then on, by `performance.now()`, every holder of a lease is in `members`: a server whose clock was set forward has let
   * registrations expire before their leases.
   */
  trusted = Number.NEGATIVE_INFINITY;
  /** Milliseconds that the server took for its last answer; a lease where it took longer, since that answer gives none. */
  delay = 0;

  private constructor(connection: RedisConnection, key: string, member: Member, clock: Clock) {
    this.#connection = connection;
    this.#key = key;
    this.#member = member;
    this.#clock = clock;
  }

  /** @param before the server's clock at the last registration of this process; null: there was none */
  static async open(connection: RedisConnection, key: string, member: Member, before: Clock | null): Promise<Registry> {
    const { at } = momentNow();
    const clock = { at, time: timeIn(await within(member.lease, connection.ask(['TIME']))) };
    const registry = new Registry(connection, key, member, before ?? clock);
    registry.#set(clock);
    return registry;
  }

  get clock(): Clock {
    return this.#clock;
  }

  /** Since when the server has not answered, by `performance.now()`; infinity: it has answered all questions. */
  get silentSince(): number {
    const [oldest] = this.#unanswered;
    return oldest?.at ?? Number.POSITIVE_INFINITY;
  }

  #set(clock: Clock): void {
    if (isSetForward(this.#clock, clock)) this.trusted = performance.now() + this.#member.lease;
    this.#clock = clock;
  }

  /**
   * Renews the registration, and runs commands at the same moment; `members` are those of that moment.
   * @param isFirst whether it is new. Later it is not made again where it is missing: it must not seem to have been there since.
   * @throws where the server has other data than before: it may have lost messages, and given leases without this member
   */
  async exchange(
    commands: readonly Command[],
    isFirst = false,
  ): Promise<{ readonly sent: Moment; readonly replies: readonly unknown[]; readonly members: Registry['members'] }> {
    const sent = momentNow();
    const { at, time } = this.#clock;
    const { name, lease, awake } = this.#member;
    // A thousandth moves each time: after the clock was set back, two renewals must not look like one.
    const until = Math.ceil(time + sent.at - at + lease + slack) + (++this.#renewals % 1000) / 1000;
    this.#unanswered.add(sent);
    const asked = this.#connection.atOnce([
      ['TIME'],
      ['ZADD', this.#key, ...(isFirst ? [] : ['XX']), String(until), name],
      ['ZRANGE', this.#key, '0', String(mostMembers), 'REV', 'WITHSCORES'],
      ['INFO', 'replication'],
      ...commands,
    ]);
    const [now, , registered, replication, ...replies] = await asked.finally(() => this.#unanswered.delete(sent));
    awake.look();
    // Not of a question from before this process stood still: the answer waited for the process, not the process for the server.
    if (sent.at >= awake.since) this.delay = Math.min(performance.now() - sent.at, lease);
    const { names, live } = membersIn(registered, timeIn(now));
    if (names.size > mostMembers) throw nonsense('members');
    if (!names.has(name)) throw new Error('the Redis server was emptied');
    const data = infoOf(replication, 'master_replid');
    this.data ??= data;
    if (data === null) throw new Error('the Redis server does not say whose data it has');
    if (data !== this.data)
      throw new Error(
        'the Redis server has other data than before: another one was the primary, or replicas came or left',
      );
    this.#set({ at: sent.at, time: timeIn(now) });
    this.members = live;
    return { sent, replies, members: live };
  }
}
