import { Session } from 'node:inspector';

/**
 * Collects all garbage, and gives memory that only the start needed back to the system. Nearly everything that a start loads survives, so V8
 * grows its young generation: to 67 MB with 100 resources, to 134 MB with 1,000. It shrinks only in a full collection, which an idle gateway
 * never reaches. Stops the process once, for 100 to 160 ms.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await new Promise((resolve) => session.post('HeapProfiler.collectGarbage', () => setImmediate(resolve)));
  // Not in the callback itself: disconnecting there never returns.
  session.disconnect();
}
