import type { Duplex } from 'node:stream';

/**
 * Reads a socket in the driver's stead, until `take` gives what is the driver's again.
 * @param take is given what comes, and hands to the driver what is not its own
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
    stream.emit('data', after);
  };
  stream.on('data', taken);
}

function isListener(listener: unknown): listener is (chunk: Buffer) => void {
  return typeof listener === 'function';
}
