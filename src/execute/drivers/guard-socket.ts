import type { Duplex } from 'node:stream';

/**
 * Ends a connection if reading its bytes throws. An error thrown in a `data` listener would end the process. This way, the running
 * statement fails with a lost connection.
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
