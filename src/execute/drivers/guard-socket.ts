import type { Duplex } from 'node:stream';

/**
 * Ends a connection whose bytes cannot be read. An error thrown by a reader of a socket would otherwise end the process; here the
 * driver reports the loss of the connection, to the statement that runs.
 * @param check gets each chunk before all readers, and throws where they must not see it
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
