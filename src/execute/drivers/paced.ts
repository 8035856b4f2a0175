import type { Duplex } from 'node:stream';

/** Milliseconds for which incoming data may hold the event loop. */
const most = 5;

/**
 * Yields to the event loop while a large result arrives. Node reads a socket up to 32 times before anything else runs. That is
 * two megabytes, of which a driver may make rows for a tenth of a second.
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
