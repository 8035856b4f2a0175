/** Workers on a bus, with their hub, in one process. */
import type { Bus, Message } from '../../../src/cache/buses/bus.ts';
import { cluster } from '../../../src/cache/buses/cluster.ts';
import { type FromHub, Hub, type Member as HubMember, type ToHub } from '../../../src/cache/buses/hub.ts';

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
}

export function openGroup(): Group {
  const hub = new Hub<Worker>(() => ({ silence: 100, aftermath: 100 }));
  return {
    async join() {
      const worker = new Worker(hub);
      const bus = await cluster(worker.line)((message) => worker.received.push(message));
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
