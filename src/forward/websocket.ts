/** Connections that change protocol, by http-proxy. */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { Refusal } from '../model/errors.ts';
import { refusalOf, unsendable } from './failures.ts';
import type { UpstreamAddress } from './web.ts';

/**
 * @param head the bytes after the head of the request
 * @param timeout milliseconds for which either side may leave its data unread
 * @param refuse answers in place of the upstream; called at most once, and before any other answer
 */
export function upgrade(
  { agent, ...place }: UpstreamAddress,
  path: string,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  timeout: number,
  refuse: (why: Refusal) => void,
): void {
  // One proxy per connection: its error event does not name the connection. `ignorePath`: the library would join and normalize
  // paths, so it gets the whole path as the target's.
  const one = createProxyServer({ agent, ignorePath: true, target: { ...place, pathname: path } });
  let isAnswered = false;
  one.on('error', (error) => {
    if (!isAnswered && socket.writable) refuse(refusalOf(error));
    isAnswered = true;
  });
  if (!(socket instanceof Socket)) return void socket.destroy();
  closeWhenStuck(socket, timeout);
  one.on('proxyReqWs', (asking) => {
    socket.once('close', () => asking.destroy());
    asking.once('response', ({ statusCode }) => {
      isAnswered = true;
      // The upstream may take the following bytes for the other protocol.
      asking.shouldKeepAlive = false;
      // The library forwards an answer that is no upgrade, then ends the connection. Later bytes of the client are discarded.
      if (statusCode === 101) refuse(unsendable(new Error('it changed to no protocol')));
      socket.resume();
    });
    asking.once('upgrade', (_, other) => {
      isAnswered = true;
      closeWhenStuck(other, timeout);
      // A WebSocket is never half closed: when one side has left, the other would stay open for ever.
      for (const [one, another] of [
        [socket, other],
        [other, socket],
      ] as const)
        one.once('end', () => another.destroySoon()).once('close', () => another.destroySoon());
    });
  });
  one.ws(req, socket, {}, head);
  // The socket has no reader before the answer, and a client's reset is noticed only by reading.
  socket.read(0);
}

/**
 * Closes a connection whose peer does not read: two checks find the same bytes waiting. A socket's own timeout also counts
 * incoming data.
 */
function closeWhenStuck(socket: Socket, ms: number): void {
  let before = 0;
  const looking = setInterval(() => {
    if (socket.writableLength > 0 && socket.bytesWritten === before) socket.destroy();
    before = socket.bytesWritten;
  }, ms);
  socket.once('close', () => clearInterval(looking));
}
