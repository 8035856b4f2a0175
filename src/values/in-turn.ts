/** Runs `work` for one item after the other, and returns the results. */
export async function inTurn<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
