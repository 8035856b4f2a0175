/** Opens each bus of the registry for the contract suite, with several processes where it has them. */
import { randomUUID } from 'node:crypto';
import type { Bus, Message } from '../../../src/cache/buses/bus.ts';
import { type FromHub, Hub, type Member as HubMember, type ToHub } from '../../../src/cache/buses/hub.ts';
import * as buses from '../../../src/cache/buses/index.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { startRedis } from '../../support/servers/redis.ts';
import type { Scope } from '../../support/servers/scope.ts';
import { openTap } from '../../support/tap.ts';

/** A process on the bus. */
export interface Member {
  readonly bus: Bus;
  /** The messages that it has received, in their order. */
  readonly received: readonly Message[];
  readonly hasEnded: boolean;
  /** It neither receives nor answers any more. */
  silence(): void;
  /** Its process ends. */
  end(): void;
}

export interface Group {
  join(): Promise<Member>;
  close(): Promise<void>;
}

interface Kind {
  /** `one`: only one process can join. */
  readonly size: 'one' | 'several';
  open(scope: Scope): Promise<Group>;
  /** What the others receive when a member with this suspension has left. */
  afterEnd(suspension: string): readonly Message[];
}

const resume = (id: string): Message => ({ type: 'resume', id });
const forget: Message = { type: 'forget' };

/** A bus that is missing here is a type error. */
export const groups: Readonly<Record<keyof typeof buses, Kind>> = {
  local: {
    size: 'one',
    open: async () => ({
      join: async () => alone(await buses.local()(() => undefined)),
      close: async () => undefined,
    }),
    afterEnd: () => [],
  },
  cluster: { size: 'several', open: async () => clusterGroup(), afterEnd: (id) => [forget, resume(id), forget] },
  // Each of its writes was announced: only those can have been committed.
  redis: { size: 'several', open: redisGroup, afterEnd: (id) => [resume(id)] },
};

const alone = (bus: Bus): Member => ({
  bus,
  received: [],
  hasEnded: false,
  silence: () => undefined,
  end: () => undefined,
});

/** Milliseconds. A busy machine may take one for an answer. */
const lease = 2000;
const servers = new WeakMap<Scope, Promise<string>>();

/** A group of its own on a server that all tests share. Each member has a line of its own to it. */
async function redisGroup(scope: Scope): Promise<Group> {
  const started = servers.get(scope) ?? startRedis(scope, thisMachine());
  servers.set(scope, started);
  const url = await started;
  const group = randomUUID();
  const ends: (() => unknown)[] = [];
  return {
    async join() {
      const tap = await openTap(url);
      const received: Message[] = [];
      const server = {
        hosts: [{ host: '127.0.0.1', port: Number(new URL(tap.url).port) }],
        ...{ sentinelName: null, user: null, password: null, database: 0, tls: null },
      };
      const options = { server, group, required: true, lease, aftermath: () => 100, emit: () => undefined };
      const bus = await buses.redis(options)((message) => received.push(message));
      ends.push(async () => {
        await bus.announcer?.close();
        tap.close();
      });
      return {
        ...{ bus, received },
        get hasEnded() {
          return bus.announcer?.isHeld() === false;
        },
        silence: () => tap.freeze(),
        end: () => tap.close(),
      };
    },
    close: async () => void (await Promise.all(ends.map((end) => end()))),
  };
}

function clusterGroup(): Group {
  const hub = new Hub<Worker>(() => ({ silence: 100, aftermath: 100 }));
  return {
    close: async () => undefined,
    async join() {
      const worker = new Worker(hub);
      const bus = await buses.cluster(worker.line)((message) => worker.received.push(message));
      return {
        bus,
        received: worker.received,
        get hasEnded() {
          return worker.hasEnded;
        },
        silence: () => worker.silence(),
        end: () => worker.kill(),
      };
    },
  };
}

/** A worker with its line to the hub, which keeps messages in order and delivers them later. */
class Worker implements HubMember {
  readonly received: Message[] = [];
  hasEnded = false;
  readonly #hub: Hub<Worker>;
  #isSilent = false;
  #listener: (message: FromHub) => void = () => undefined;

  constructor(hub: Hub<Worker>) {
    this.#hub = hub;
  }

  readonly line = {
    send: (message: ToHub): void => {
      if (this.hasEnded) return;
      if (message.bus === 'join') this.#hub.join(this);
      else queueMicrotask(() => this.#hub.onMessage(this, message));
    },
    listen: (listener: (message: FromHub) => void): void => {
      this.#listener = listener;
    },
  };

  send(message: FromHub): void {
    if (!this.#isSilent && !this.hasEnded) queueMicrotask(() => this.#listener(message));
  }

  silence(): void {
    this.#isSilent = true;
  }

  /** A killed process is gone only a moment later. */
  kill(): void {
    setTimeout(() => {
      this.hasEnded = true;
      this.#hub.leave(this);
    }, 5);
  }
}
