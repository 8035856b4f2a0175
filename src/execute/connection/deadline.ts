/**
 * Waits until `work` ends or times out, or until `gone` is aborted.
 * @param milliseconds the timeout; null for none
 * @param end cancels the work on timeout or abort, and rejects with the error that `withTimeout` then throws
 */
export async function withTimeout<T>(
  work: Promise<T>,
  milliseconds: number | null,
  end: (why: 'late' | 'gone') => Promise<never>,
  gone?: AbortSignal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let leave: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    let isOver = false;
    const over = (why: 'late' | 'gone') => {
      if (!isOver) end(why).catch(reject);
      isOver = true;
    };
    if (milliseconds !== null) timer = setTimeout(over, milliseconds, 'late');
    leave = () => over('gone');
    gone?.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    if (leave !== undefined) gone?.removeEventListener('abort', leave);
  }
}
