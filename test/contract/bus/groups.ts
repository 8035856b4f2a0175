/** Opens each bus of the registry for the contract suite, with several processes where it has them. */
import type { Bus, Message } from '../../../src/cache/buses/bus.ts';
import { type FromHub, Hub, type Member as HubMember, type ToHub } from '../../../src/cache/buses/hub.ts';
import * as buses from '../../../src/cache/buses/index.ts';
import type { Scope } from '../../support/servers/scope.ts';

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
};

const alone = (bus: Bus): Member => ({
  bus,
  received: [],
  hasEnded: false,
  silence: () => undefined,
  end: () => undefined,
});

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
