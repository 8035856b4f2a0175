/**
 * Waits for `work` for so many milliseconds (null: to its end), and not after `gone` is aborted.
 * @param end called on timeout or when `gone` is aborted: ends the work; its rejection is thrown
 */
export async function within<T>(
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
