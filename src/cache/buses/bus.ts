/** The messages between the processes of one gateway about their caches. */
export type Message =
  | Written
  | Suspension
  | { readonly type: 'resume'; readonly id: string }
  /** A process has ended or is silent, and may have committed any write without announcing it: every entry is invalid. */
  | { readonly type: 'forget' };

/** A write to the resource was committed. `invalidates`: the counters by the sender's catalogue; a receiver with a newer one adds more. */
export interface Written {
  readonly type: 'written';
  readonly resource: string;
  readonly invalidates: readonly string[];
  readonly by: Transactions;
}

/** A commit is about to happen, or its outcome is unknown: until `resume`, no entry that reads these counters is stored or served. */
export interface Suspension {
  readonly type: 'suspend';
  readonly id: string;
  readonly resource: string;
  readonly invalidates: readonly string[];
}

/** The ids of a write's transactions on a server; empty if the engine does not report them. */
export interface Transactions {
  /** The id of the server, the same as `Effects.server`. */
  readonly server: string;
  readonly transactions: readonly string[];
}

export interface Bus {
  /** Resolves when every other process has received the message, or has ended. Only then may a write be answered. */
  publish(message: Message): Promise<void>;
  /** Resolves when every other process has received all messages that this one has, or has ended. */
  heard(): Promise<void>;
}

/** Joins a process to the bus. Once it resolves, `onMessage` gets every message of the others, and only then may the process serve. */
export type Join = (onMessage: (message: Message) => void) => Promise<Bus>;
