/** Connections that become something else. The only file that knows http-proxy. */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { Refusal } from '../model/errors.ts';
import type { Place } from './exchange.ts';
import { blamed, unsendable } from './failures.ts';

/**
 * @param head what came after the head of the request
 * @param patience milliseconds for which either side may take nothing of what waits for it
 * @param refuse answers in the application's place; called at most once, and before anything else is answered
 */
export function upgrade(
  { agent, ...place }: Place,
  path: string,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  patience: number,
  refuse: (why: Refusal) => void,
): void {
  // Its own for each: it tells of an error before it ends the connection, and does not say whose.
  // The library joins and normalizes paths: given the whole path as the target's, it has nothing to join.
  const one = createProxyServer({ agent, ignorePath: true, target: { ...place, pathname: path } });
  let isAnswered = false;
  one.on('error', (error) => {
    if (!isAnswered && socket.writable) refuse(blamed(error));
    isAnswered = true;
  });
  if (!(socket instanceof Socket)) return void socket.destroy();
  closeWhenStuck(socket, patience);
  one.on('proxyReqWs', (asking) => {
    socket.once('close', () => asking.destroy());
    asking.once('response', ({ statusCode }) => {
      isAnswered = true;
      // The application may take what follows for the other protocol.
      asking.shouldKeepAlive = false;
      // The library sends on what is no upgrade, and ends the connection behind it. What the client says is not wanted any more.
      if (statusCode === 101) refuse(unsendable(new Error('it changed to no protocol')));
      socket.resume();
    });
    asking.once('upgrade', (_, other) => {
      isAnswered = true;
      closeWhenStuck(other, patience);
      // A WebSocket is never half closed: one that has left would be waited for by the other for ever.
      for (const [one, another] of [
        [socket, other],
        [other, socket],
      ] as const)
        one.once('end', () => another.destroySoon()).once('close', () => another.destroySoon());
    });
  });
  one.ws(req, socket, {}, head);
  // Nobody reads it before there is an answer, and of a client that resets one only hears by reading.
  socket.read(0);
}

/** Closes a connection whose peer does not read: two looks find the same waiting for it. A socket's own timeout also counts what comes in. */
function closeWhenStuck(socket: Socket, ms: number): void {
  let before = 0;
  const looking = setInterval(() => {
    if (socket.writableLength > 0 && socket.bytesWritten === before) socket.destroy();
    before = socket.bytesWritten;
  }, ms);
  socket.once('close', () => clearInterval(looking));
}
