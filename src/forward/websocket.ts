/** Connections that become something else. The only file that knows http-proxy. */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { Refusal } from '../errors.ts';
import type { Place } from './exchange.ts';
import { blamed } from './failures.ts';

/**
 * @param head what came after the head of the request
 * @param refuse answers in the application's place; called at most once, and before anything else is answered
 */
export function upgrade(
  { agent, ...place }: Place,
  path: string,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  refuse: (why: Refusal) => void,
): void {
  // Its own for each: it tells of an error before it ends the connection, and does not say whose.
  // The library joins and normalizes paths: given the whole path as the target's, it has nothing to join.
  const one = createProxyServer({ agent, ignorePath: true, target: { ...place, pathname: path } });
  let isUpgraded = false;
  one.on('error', (error) => {
    if (!isUpgraded && socket.writable) refuse(blamed(error));
  });
  if (!(socket instanceof Socket)) return void socket.destroy();
  one.on('proxyReqWs', (asking) => {
    socket.once('close', () => asking.destroy());
    asking.once('upgrade', (_, other) => {
      isUpgraded = true;
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
