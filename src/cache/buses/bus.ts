/** The messages between the processes of one gateway about their caches. */
export type Message =
  | Written
  | Suspension
  | { readonly type: 'resume'; readonly id: string }
  /** A process has ended or was not heard, and may have committed any write: every entry is invalid. */
  | { readonly type: 'forget' };

/** A write to the resource was committed. `invalidates`: the counters that the sender's catalogue names; a receiver may add more. */
export interface Written {
  readonly type: 'written';
  readonly resource: string;
  readonly invalidates: readonly string[];
  readonly by: Transactions;
}

/** A commit may come, or its outcome is unknown: until `resume`, no entry over these counters is stored or served. */
export interface Suspension {
  readonly type: 'suspend';
  readonly id: string;
  readonly resource: string;
  readonly invalidates: readonly string[];
}

/** The ids of a write's transactions on a server, as far as its engine says them. */
export interface Transactions {
  /** As in `Effects`. */
  readonly server: string;
  readonly transactions: readonly string[];
}

export interface Bus {
  /** Resolves when every other process has received the message, or has ended. A write is answered after that. */
  publish(message: Message): Promise<void>;
  /** Resolves when every other process has received what this one has received until now, or serves nothing older. */
  heard(): Promise<void>;
}

/** Joins a process to the bus. Once it resolves, `onMessage` gets every message of the others. Listen for requests after that. */
export type Join = (onMessage: (message: Message) => void) => Promise<Bus>;
