/** What the processes of one gateway publish to one another about their caches. */
export type Message =
  /** A write to the resource was committed. `invalidates` are the counters that its process knows of; a listener may know more. */
  | { readonly type: 'written'; readonly resource: string; readonly invalidates: readonly string[] }
  /** A commit may or may not happen: until `resume`, nothing over these counters is cached or found. */
  | {
      readonly type: 'suspend';
      readonly id: string;
      readonly resource: string;
      readonly invalidates: readonly string[];
    }
  | { readonly type: 'resume'; readonly id: string }
  /** A process has ended, and may have written anything: every entry is old. */
  | { readonly type: 'forget' };

export interface Bus {
  /** Resolves when every other process has received it, or has ended. A write is answered after that. */
  publish(message: Message): Promise<void>;
}

/** Takes a process onto the bus: once it resolves, `onMessage` gets every message of the others. Listen for requests after that. */
export type Join = (onMessage: (message: Message) => void) => Promise<Bus>;
