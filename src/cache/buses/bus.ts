/** What the processes of one gateway tell one another of what they keep. */
export type News =
  /** A write to the resource was committed. `raises` are the counters its process knows of; a listener may know more. */
  | { readonly news: 'wrote'; readonly resource: string; readonly raises: readonly string[] }
  /** A commit may or may not happen: until it is settled, nothing over these counters is kept or found. */
  | { readonly news: 'doubt'; readonly id: string; readonly resource: string; readonly raises: readonly string[] }
  | { readonly news: 'settled'; readonly id: string }
  /** Somebody is gone, and nobody knows what he has written: everything kept is old. */
  | { readonly news: 'forget' };

export interface Bus {
  /** Resolves when every other process has heard it, or is no more. A write is answered after that. */
  tell(news: News): Promise<void>;
}

/** Takes a process onto the bus: from when it resolves, `hear` is told all that others tell. Listen for requests after that. */
export type Join = (hear: (news: News) => void) => Promise<Bus>;
