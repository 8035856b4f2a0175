/**
 * Waits for `work` for so many milliseconds (null: to its end), and not after `gone` is aborted.
 * @param end called on timeout or when `gone` is aborted: ends the work; its rejection is thrown
 */
export function within<T>(
  work: Promise<T>,
  milliseconds: number | null,
  end: (why: 'late' | 'gone') => Promise<never>,
  gone?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const over = (why: 'late' | 'gone') => {
      if (!isOver) end(why).catch(reject);
      isOver = true;
    };
    const timer = milliseconds === null ? undefined : setTimeout(over, milliseconds, 'late');
    const left = () => over('gone');
    gone?.addEventListener('abort', left, { once: true });
    const stop = () => {
      clearTimeout(timer);
      gone?.removeEventListener('abort', left);
    };
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error) => {
        stop();
        reject(error);
      },
    );
  });
}
