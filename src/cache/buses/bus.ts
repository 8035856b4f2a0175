/** The messages between the processes of one gateway about their caches. */
export type Message =
  /**
   * A write to the resource was committed. `invalidates`: the counters that the sender's catalogue names; a receiver may add
   * more.
   */
  | {
      readonly type: 'written';
      readonly resource: string;
      readonly invalidates: readonly string[];
      readonly by: Transactions;
    }
  /** The outcome of a commit is unknown: until `resume`, no entry over these counters is stored or served. */
  | {
      readonly type: 'suspend';
      readonly id: string;
      readonly resource: string;
      readonly invalidates: readonly string[];
    }
  | { readonly type: 'resume'; readonly id: string }
  /** A process has ended and may have committed any write: every entry is invalid. */
  | { readonly type: 'forget' };

/** The ids of a write's transactions on a database, as far as its engine says them. */
export interface Transactions {
  readonly database: string;
  readonly transactions: readonly string[];
}

export interface Bus {
  /** Resolves when every other process has received the message or has ended. A write is answered after that. */
  publish(message: Message): Promise<void>;
}

/** Joins a process to the bus. Once it resolves, `onMessage` gets every message of the others. Listen for requests after that. */
export type Join = (onMessage: (message: Message) => void) => Promise<Bus>;
