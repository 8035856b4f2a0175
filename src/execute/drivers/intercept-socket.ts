import type { Duplex } from 'node:stream';

/**
 * Reads a socket in place of the driver, until `take` returns bytes for the driver.
 * @param take gets each chunk and passes bytes that it does not handle to `driver`; null: there is more to take
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
  const taken = (chunk: Buffer) => {
    const after = take(chunk, driver);
    if (after === null) return;
    stream.off('data', taken);
    for (const listener of listeners) stream.on('data', listener);
    driver(after);
  };
  stream.on('data', taken);
}

function isListener(listener: unknown): listener is (chunk: Buffer) => void {
  return typeof listener === 'function';
}
