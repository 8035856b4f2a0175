import { Refusal } from '../model/errors.ts';

/** A piece of work that waits for its turn. */
export interface Waiting<T> {
  readonly client: string;
  /** Ends its wait with what it waited for. */
  readonly begin: (given: T) => void;
  readonly refuse: () => void;
}

/**
 * Waits in a queue until another piece of work begins this one.
 * @param queue has it as long as it waits
 * @param late the longest wait in milliseconds, and the message of the refusal then
 * @throws Refusal busy (503) where its time is over, or it was refused; the reason of `gone`
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

/** The last one of the client that has most of them in the queue: it makes room for others. */
export function crowding<T extends Queued>(queue: Iterable<T>): T | null {
  const counts = new Map<string, number>();
  for (const { client } of queue) counts.set(client, countOf(counts, client) + 1);
  let worst: T | null = null;
  for (const one of queue)
    if (worst === null || countOf(counts, one.client) >= countOf(counts, worst.client)) worst = one;
  return worst;
}

const countOf = (counts: ReadonlyMap<string, number>, client: string): number => counts.get(client) ?? 0;

/** Places all that a client waits for behind the others: it has had its turn. */
export function toTheEnd<T extends Queued>(queue: Set<T>, client: string): void {
  for (const one of [...queue].filter((other) => other.client === client)) {
    queue.delete(one);
    queue.add(one);
  }
}
