import type { Duplex } from 'node:stream';

/** Milliseconds for which what comes in may hold the event loop. */
const most = 5;

/**
 * Lets the event loop take its turn while a large result comes in. Node reads a socket up to 32 times before it looks at anything
 * else: two megabytes, of which a driver may make rows for a tenth of a second.
 * @returns a function that ends it
 */
export function paced(socket: Duplex): () => void {
  let since: number | null = null;
  const took = () => {
    const now = performance.now();
    since ??= now;
    if (now - since < most) return;
    since = null;
    socket.pause();
    setImmediate(() => socket.resume());
  };
  socket.on('data', took);
  return () => socket.off('data', took);
}
