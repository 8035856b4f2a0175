import { randomUUID } from 'node:crypto';
import type { RedisHost, RedisServer } from '../../../model/bus.ts';
import type { Moment } from '../../../values/clocks.ts';
import { inSlices } from '../../../values/slices.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { newestIn, streamsIn } from './answers.ts';
import { Awake } from './awake.ts';
import { type Batch, Batches } from './batches.ts';
import { connectRedis, findRedis, type RedisConnection } from './connection.ts';
import { isReached, Lease } from './lease.ts';
import { adding, fieldsOf, type KeptSuspension, keeping, keysOf, removing, type StreamMessage } from './messages.ts';
import { lost, News } from './news.ts';
import { type Registered, register, renewing, unregister } from './register.ts';
import type { Registration, Registry } from './registry.ts';
import type { Suspensions } from './suspensions.ts';

export interface MembershipOptions {
  readonly server: RedisServer;
  readonly group: string;
  /** Milliseconds. */
  readonly lease: number;
  readonly suspensions: Suspensions;
  /** Earlier names of this process, under which a suspension of its own may be kept. */
  namesOf(id: string): readonly string[];
  /** The last membership of this process. */
  readonly before: Registration | null;
}

/** Looks in a lease whether this process has stood still; after five the lease is renewed. */
const [looks, looksToRenewal] = [20, 5];

/** Questions of one round. A stranger may have planted thousands of suspensions. */
const askedAtOnce = 500;

type Opened = Pick<Registered, 'registry' | 'version' | 'run' | 'trusted'> & { readonly commands: RedisConnection };

/**
 * One membership of a process: from joining until a connection is lost, the lease has ended, or messages may be missing. Then the
 * process has to join anew, under another name.
 */
export class Membership {
  readonly name = randomUUID();
  /** Resolves with its cause when the membership has ended. */
  readonly ended: Promise<unknown>;
  hasEnded = false;
  readonly #options: MembershipOptions;
  readonly #keys: ReturnType<typeof keysOf>;
  readonly #lease: Lease;
  readonly #batches = new Batches((batches, next) => this.#round(batches, next));
  #end: (cause: unknown) => void = () => undefined;
  readonly #connections: RedisConnection[] = [];
  #opened: Opened | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looks = 0;
  /** Others may join at the same time, and publish theirs again: that needs no question, and the first answer is for all. */
  #renewalsToQuestions = 2 + Math.floor(3 * Math.random());
  readonly #awake: Awake;
  /** The end of `silentSince`, once the membership has ended. */
  #silentAtEnd: number | null = null;
  /** The number of its last entry. */
  #number = 0;
  readonly #acks = new Acknowledgements(this.name);

  private constructor(options: MembershipOptions) {
    this.#options = options;
    this.#keys = keysOf(options.group);
    this.#lease = new Lease(options.lease);
    this.#awake = new Awake((2 * options.lease) / looks);
    this.ended = new Promise((resolve) => {
      this.#end = (cause) => {
        if (this.hasEnded) return;
        this.#silentAtEnd = Math.min(this.silentSince, performance.now());
        this.hasEnded = true;
        this.#lease.end();
        if (this.#timer !== null) clearInterval(this.#timer);
        for (const one of this.#connections) one.close();
        this.#acks.stop();
        resolve(cause);
      };
    });
  }

  /** Joins. Throws where the server cannot be used. */
  static async open(options: MembershipOptions): Promise<Membership> {
    const membership = new Membership(options);
    try {
      await membership.#join();
      return membership;
    } catch (error) {
      membership.#end(error);
      throw error;
    }
  }

  /** Whether this process may use its cache now. */
  isHeld(): boolean {
    return this.isTrusted && this.#lease.isHeld();
  }

  get version(): string {
    return this.#opened?.version ?? '';
  }

  get registration(): Registration {
    const { registry = null, run = null } = this.#opened ?? {};
    return { name: this.name, run, trusted: this.#trustedFrom, clock: registry?.clock ?? null };
  }

  get #trustedFrom(): number {
    const { registry, trusted } = this.#opened ?? {};
    return Math.max(trusted ?? Number.POSITIVE_INFINITY, registry?.trusted ?? 0);
  }

  /**
   * Since when the server has not answered, by `performance.now()`; infinity: it has answered all. It has given no lease since, if it
   * gives none to anybody. What was asked before this process stood still may have been sent only afterwards.
   */
  get silentSince(): number {
    if (this.#silentAtEnd !== null) return this.#silentAtEnd;
    return Math.max(this.#opened?.registry.silentSince ?? Number.POSITIVE_INFINITY, this.#awake.since);
  }

  /** As of `Registry`. */
  get delay(): number {
    return this.#opened?.registry.delay ?? 0;
  }

  /** Whether every holder of a lease is registered at the server by now. */
  get isTrusted(): boolean {
    return performance.now() >= this.#trustedFrom;
  }

  /**
   * @param isAwaited whether it resolves only when no member holds a lease that has not heard it; else when it is sent
   * @throws where the membership ends before
   */
  publish(message: StreamMessage, isAwaited: boolean): Promise<void> {
    return this.#batches.add(message, isAwaited);
  }

  async close(): Promise<void> {
    // It would find that there is no lease, and close the connection before the name is removed.
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#lease.end();
    if (!this.hasEnded && this.#opened !== null)
      await unregister(this.#opened.commands, this.#keys, this.name, this.#lease.length);
    this.#end(null);
  }

  /** Throws where the membership has ended. */
  #open(): Opened {
    if (this.hasEnded || this.#opened === null) throw new Error('the membership has ended');
    return this.#opened;
  }

  async #connect(host: RedisHost): Promise<RedisConnection> {
    const { server, lease } = this.#options;
    const connection = await connectRedis(host, server, lease, (cause) => this.#end(cause));
    this.#connections.push(connection);
    if (this.hasEnded) connection.close();
    return connection;
  }

  async #join(): Promise<void> {
    const { server, lease, suspensions, before } = this.#options;
    const host = await findRedis(server, lease);
    const [commands, reader] = await Promise.all([this.#connect(host), this.#connect(host)]);
    const member = { name: this.name, lease, awake: this.#awake };
    const { listed, isSame, newest, sent, ...opened } = await register(commands, this.#keys, member, before);
    this.#opened = { ...opened, commands };
    // Those that are left may be more than a process can have.
    const left = await this.#endLeft(opened.registry.members, sent, listed);
    const others = listed.filter(({ suspension }) => !left.has(suspension.id));
    await inSlices(suspensions.replace(others, isSame));
    // A line may have been lost meanwhile.
    this.#open();
    const news = new News(newest, this.name, suspensions);
    this.#lease.answered(sent, news.last, news.last);
    this.#read(news, reader).catch((error: unknown) => this.#end(error));
    this.#timer = setInterval(() => this.#tick(news), lease / looks);
  }

  #tick(news: News): void {
    this.#awake.look();
    const isDue = ++this.#looks >= looksToRenewal && this.#lease.isSettled;
    if (!this.#lease.isHeld()) this.#end(new Error(`the Redis server did not answer for ${this.#lease.length} ms`));
    // Not while the last answer names an entry that is not heard yet: no write has to wait for a member that hears nothing.
    else if (isDue) this.#renew(news).catch((error: unknown) => this.#end(error));
  }

  async #renew(news: News, heardBefore = news.last): Promise<void> {
    this.#looks = 0;
    const { registry } = this.#open();
    const { sent, replies, members } = await registry.exchange(renewing(this.#keys, this.name));
    // The server's clock was set forward: the registration that it was given is over already.
    if (!members.has(this.name)) return;
    const newest = newestIn(replies[0]);
    if (!isReached(newest, heardBefore) || replies[1] !== 1) throw new Error(lost);
    this.#lease.answered(sent, newest, news.last);
    this.#acks.recheck();
    await this.#endLeft(members, sent, []);
    if (--this.#renewalsToQuestions === 0) await this.#ask(members);
  }

  /**
   * Ends the suspensions of members that have been gone for long, here and at the server.
   * @param listed those at the server, where it was asked for them
   * @returns their ids
   */
  async #endLeft(members: Registry['members'], sent: Moment, listed: readonly KeptSuspension[]) {
    const look = { members, asked: sent.at, trusted: this.#trustedFrom, listed };
    const left = await inSlices(this.#options.suspensions.endLeft(look));
    const { commands } = this.#open();
    // A member that joins has no lease before it goes on: it does not wait for a server that is far away.
    if (left.size > 0) commands.ask(removing(this.#keys.suspensions, left)).catch((error: unknown) => this.#end(error));
    return left;
  }

  async #ask(members: Registry['members']): Promise<void> {
    const questions = await inSlices(this.#options.suspensions.questions(members));
    for (let from = 0; from < questions.length; from += askedAtOnce) {
      const part = questions.slice(from, from + askedAtOnce);
      await Promise.all(part.map((question) => this.publish(question, false)));
    }
  }

  /** Hears what others publish, until the membership ends. */
  async #read(news: News, reader: RedisConnection): Promise<void> {
    const acks = this.#keys.acks(this.name);
    while (!this.hasEnded) {
      const streams = ['STREAMS', this.#keys.news, acks, news.last, this.#acks.last];
      const answer = await reader.ask(['XREAD', 'COUNT', '20', 'BLOCK', '0', ...streams]);
      for (const [stream, entries] of streamsIn(answer)) {
        if (stream === acks) this.#acks.hear(entries);
        else await this.#hear(news, entries);
      }
    }
  }

  async #hear(news: News, entries: readonly unknown[]): Promise<void> {
    const awaited = await inSlices(news.hear(entries, () => this.hasEnded));
    this.#lease.heard(news.last);
    for (const [to, id] of awaited) {
      const ack = ['XADD', this.#keys.acks(to), 'NOMKSTREAM', 'MAXLEN', '~', '1000', '*', 'by', this.name, 'heard', id];
      this.#opened?.commands.ask(ack).catch((error: unknown) => this.#end(error));
    }
  }

  async #round(batches: readonly Batch[], waits: () => void): Promise<void> {
    try {
      const { registry } = this.#open();
      const entries = batches.map(({ texts, isAwaited }) => fieldsOf(this.name, ++this.#number, isAwaited, texts));
      const { replies, members } = await registry.exchange([
        ...entries.map((fields) => adding(this.#keys.news, fields)),
        ...batches.flatMap(({ messages, texts }) =>
          keeping(this.#keys.suspensions, this.name, messages, texts, this.#options.namesOf),
        ),
      ]);
      const last = batches.findLastIndex(({ isAwaited }) => isAwaited);
      if (last < 0) return;
      // Others hear entries in their order.
      const id = String(replies[last]);
      const lease = this.#lease.length;
      const of = { lease, trusted: () => this.#trustedFrom, members: () => registry.members, waits };
      const awaited = await this.#acks.untilHeard(id, members, of);
      if (this.hasEnded) throw new Error('the membership has ended');
      if (awaited !== null) await this.#confirm(registry, id, awaited);
    } catch (error) {
      this.#end(error);
      throw error;
    }
  }

  /** Throws where the server has lost the entry: leases may have been given without it. */
  async #confirm(registry: Registry, id: string, awaited: Registry['members']): Promise<void> {
    const { replies, members } = await registry.exchange([['XRANGE', this.#keys.news, id, id]]);
    if (newestIn(replies[0]) !== id) throw new Error(lost);
    this.#acks.waitedOut(awaited, members);
  }
}
