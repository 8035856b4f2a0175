/** Forwards connections that change protocol, such as WebSockets, with the library http-proxy. */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { Refusal } from '../model/errors.ts';
import { refusalOf, unsendable } from './failures.ts';
import type { UpstreamAddress } from './web.ts';

/**
 * Forwards a request for another protocol, and connects both sides if the upstream agrees.
 * @param head the bytes after the request's head
 * @param timeout how many milliseconds either side may leave data unread
 * @param refuse sends a refusal if the upstream does not answer; called at most once
 */
export function upgrade(
  { agent, ...address }: UpstreamAddress,
  path: string,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  timeout: number,
  refuse: (why: Refusal) => void,
): void {
  // Use one proxy per connection, because the library's error event does not name the connection. Set `ignorePath`, because the library would
  // otherwise join and normalize paths.
  const one = createProxyServer({ agent, ignorePath: true, target: { ...address, pathname: path } });
  let isAnswered = false;
  one.on('error', (error) => {
    if (!isAnswered && socket.writable) refuse(refusalOf(error));
    isAnswered = true;
  });
  if (!(socket instanceof Socket)) return void socket.destroy();
  closeWhenStuck(socket, timeout);
  one.on('proxyReqWs', (outgoing) => {
    socket.once('close', () => outgoing.destroy());
    outgoing.once('response', ({ statusCode }) => {
      isAnswered = true;
      // Never reuse this connection: the upstream may take the next request for bytes in the other protocol.
      outgoing.shouldKeepAlive = false;
      // If the upstream declines, the library forwards its answer and ends the connection. Discard whatever the client still sends.
      if (statusCode === 101) refuse(unsendable(new Error('it changed to no protocol')));
      socket.resume();
    });
    outgoing.once('upgrade', (_, upstreamSocket) => {
      isAnswered = true;
      closeWhenStuck(upstreamSocket, timeout);
      // Close both sides together. A WebSocket is never half closed, and the other side would stay open forever.
      for (const [one, another] of [
        [socket, upstreamSocket],
        [upstreamSocket, socket],
      ] as const)
        one.once('end', () => another.destroySoon()).once('close', () => another.destroySoon());
    });
  });
  one.ws(req, socket, {}, head);
  // Nothing reads the socket until the answer arrives, and without a pending read we would not notice that the client has reset it.
  socket.read(0);
}

/**
 * Closes a connection whose peer does not read: bytes are waiting, but none were sent between two checks. (A socket's own timeout does not
 * help, because incoming data restarts it.)
 */
function closeWhenStuck(socket: Socket, ms: number): void {
  let bytesBefore = 0;
  const timer = setInterval(() => {
    if (socket.writableLength > 0 && socket.bytesWritten === bytesBefore) socket.destroy();
    bytesBefore = socket.bytesWritten;
  }, ms);
  socket.once('close', () => clearInterval(timer));
}
