import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Puts back what was read of a request that asks for another protocol, without that wish. Node hands over every such
 * request once somebody listens for WebSockets, and answers none of them (nodejs/node#4334).
 * @param head what came after the head of the request
 * @returns the connection, to be read as a new one
 */
export function withoutUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Duplex {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i]?.toLowerCase() !== 'upgrade') lines.push(`${req.rawHeaders[i]}: ${req.rawHeaders[i + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  return socket;
}
