const maxAtOnce = 4;

/** Runs a task for each item, only a few at once, so that a page does not flood the gateway. Ends early when the signal aborts. */
export async function fewAtOnce<T>(
  items: readonly T[],
  signal: AbortSignal,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
}
