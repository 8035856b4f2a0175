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
