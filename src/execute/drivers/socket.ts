/** What we do to the socket of a driver: check its bytes, read it in place of the driver, and yield to the event loop. */
import type { Duplex } from 'node:stream';

/**
 * Ends a connection if reading its bytes throws, so that the running statement fails with a lost connection. Thrown in a `data` listener,
 * the error would end the process.
 * @param check gets each chunk before the listeners do, and throws if they must not see it
 * @param end destroys the socket
 */
export function guardSocket(
  socket: Duplex,
  check: (chunk: Buffer) => void,
  end: (error: Error) => void = (error) => socket.destroy(error),
): void {
  const { emit } = socket;
  const guarded = (event: string | symbol, ...args: readonly unknown[]): unknown => {
    const [chunk] = args;
    if (event !== 'data' || !Buffer.isBuffer(chunk)) return Reflect.apply(emit, socket, [event, ...args]);
    try {
      check(chunk);
      return Reflect.apply(emit, socket, [event, chunk]);
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
      return true;
    }
  };
  Reflect.set(socket, 'emit', guarded);
}

/**
 * Reads a socket instead of the driver, until `take` gives the socket back.
 * @param take gets each chunk, and passes bytes that it does not handle to `driver`. It returns null to get more chunks, or bytes to end
 * the interception: the driver gets these and all that follow
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

/** Milliseconds for which incoming data may block the event loop. */
const maxBlockingMs = 5;

/**
 * Yields to the event loop while a large result arrives. Node reads a socket up to 32 times before it does anything else: two megabytes,
 * which a driver may take a tenth of a second to parse.
 * @returns a function that stops yielding
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
