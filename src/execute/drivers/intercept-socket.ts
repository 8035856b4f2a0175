import type { Duplex } from 'node:stream';

/**
 * Reads a socket in place of the driver, until `take` hands the rest back.
 * @param take gets each chunk, and passes bytes that it does not handle to `driver`. Returns null to get more chunks; returns bytes to
 * end the interception: they go to the driver, and so does all that follows
 */
export function interceptSocket(
  stream: Duplex,
  take: (chunk: Buffer, driver: (bytes: Buffer) => void) => Buffer | null,
): void {
  const listeners = stream.listeners('data').filter(isListener);
  stream.removeAllListeners('data');
  const driver = (bytes: Buffer) => {
    for (const listener of listeners) listener(bytes);
  };
  const onData = (chunk: Buffer) => {
    const after = take(chunk, driver);
    if (after === null) return;
    stream.off('data', onData);
    for (const listener of listeners) stream.on('data', listener);
    driver(after);
  };
  stream.on('data', onData);
}

function isListener(listener: unknown): listener is (chunk: Buffer) => void {
  return typeof listener === 'function';
}
