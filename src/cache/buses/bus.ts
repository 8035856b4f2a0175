/** The messages that the processes of one gateway exchange about their caches. "Counters" are those of `Generations`. */
export type Message =
  | Written
  | Suspension
  | { readonly type: 'resume'; readonly id: string }
  /** A process has ended or does not respond. It may have committed writes without announcing them, so every entry is invalid. */
  | { readonly type: 'forget' };

/** A write to the resource was committed. `invalidates`: the counters to bump according to the sender's catalogue; a newer one adds more. */
export interface Written {
  readonly type: 'written';
  readonly resource: string;
  readonly invalidates: readonly string[];
  readonly by: WriteTransactions;
}

/** A commit is about to happen, or its outcome is unknown: until `resume`, entries whose keys contain these counters are not used. */
export interface Suspension {
  readonly type: 'suspend';
  readonly id: string;
  readonly resource: string;
  readonly invalidates: readonly string[];
}

/** The ids of a write's transactions on a server; empty if the engine does not report them. */
export interface WriteTransactions {
  /** The id of the server, the same as `Effects.server`. */
  readonly server: string;
  readonly transactions: readonly string[];
}

export interface Bus {
  /** Resolves when every other process has received the message, or has ended. Only then may a write be answered. */
  publish(message: Message): Promise<void>;
  /** Resolves when every other process has received all messages that this one has, or has ended. */
  synced(): Promise<void>;
}

/** Joins a process to the bus. Once it resolves, `onMessage` gets every message of the others, and only then may the process serve. */
export type Join = (onMessage: (message: Message) => void) => Promise<Bus>;
