import { Refusal } from '../model/errors.ts';

/** A piece of work that waits for its turn. */
export interface Waiting<T> {
  readonly client: string;
  /** Ends the wait, and hands over what the work waited for, such as a connection. */
  readonly begin: (given: T) => void;
  readonly refuse: () => void;
}

/**
 * Waits in a queue until it is the caller's turn: when work ends, it calls `begin` of a waiting entry.
 * @param queue holds the caller's entry while it waits
 * @param late the longest wait in milliseconds, and the message of the refusal after that
 * @throws Refusal busy (503) after the longest wait, or if the entry was refused; the reason of `gone`
 */
export function waitInQueue<T>(
  queue: Set<Waiting<T>>,
  client: string,
  late: { readonly after: number; readonly message: string },
  gone: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      gone.removeEventListener('abort', leave);
      queue.delete(waiting);
      settle();
    };
    const leave = () => end(() => reject(gone.reason));
    const refuse = () => end(() => reject(new Refusal('busy', { message: late.message })));
    const waiting: Waiting<T> = { client, begin: (given) => end(() => resolve(given)), refuse };
    const timer = setTimeout(refuse, late.after);
    gone.addEventListener('abort', leave, { once: true });
    queue.add(waiting);
  });
}

interface Queued {
  readonly client: string;
}

/** Finds the newest entry of the client with the longest queue: to be dropped when the queue is full. */
export function newestOfBusiestClient<T extends Queued>(queue: Iterable<T>): T | null {
  const counts = new Map<string, number>();
  for (const { client } of queue) counts.set(client, countOf(counts, client) + 1);
  let worst: T | null = null;
  for (const one of queue)
    if (worst === null || countOf(counts, one.client) >= countOf(counts, worst.client)) worst = one;
  return worst;
}

const countOf = (counts: ReadonlyMap<string, number>, client: string): number => counts.get(client) ?? 0;

/** Moves all entries of a client to the end of the queue, after the client has had its turn. */
export function moveToEnd<T extends Queued>(queue: Set<T>, client: string): void {
  for (const one of [...queue].filter((other) => other.client === client)) {
    queue.delete(one);
    queue.add(one);
  }
}
