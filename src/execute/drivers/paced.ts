import type { Duplex } from 'node:stream';

/** Milliseconds for which incoming data may block the event loop. */
const maxBlockingMs = 5;

/**
 * Yields to the event loop while a large result arrives. Node reads a socket up to 32 times before anything else runs: two megabytes,
 * which a driver may parse for a tenth of a second.
 * @returns a function that stops the pacing
 */
export function paceSocket(socket: Duplex): () => void {
  let since: number | null = null;
  const onData = () => {
    const now = performance.now();
    since ??= now;
    if (now - since < maxBlockingMs) return;
    since = null;
    socket.pause();
    setImmediate(() => socket.resume());
  };
  socket.on('data', onData);
  return () => socket.off('data', onData);
}
