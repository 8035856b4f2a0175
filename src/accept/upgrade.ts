/** Connections that Node's parser has released: each request for another protocol ends its parsing (nodejs/node#4334). */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from './connections.ts';

/**
 * Puts the bytes of a request back on its connection, to be parsed again.
 * @param head the bytes after the head of the request
 * @param without the header to leave out, in lower case; null for none
 */
export function putBack(req: IncomingMessage, socket: Duplex, head: Buffer, without: 'upgrade' | null): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    // Without a blank: the head must not grow, or it may exceed its limit.
    if (req.rawHeaders[i]?.toLowerCase() !== without) lines.push(`${req.rawHeaders[i]}:${req.rawHeaders[i + 1]}`);
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
}

/** Whether earlier requests wait for their answers: nothing else may be written before them. */
export function isBehindOthers({ latest }: Connection): boolean {
  return latest !== null && !latest.closed;
}

/**
 * Waits until all earlier requests have been answered. Node has removed its listeners from the socket, so their work for these
 * answers is done here.
 * @param stalled called when the socket has been inactive for its timeout
 * @param then not called where the connection ends with these answers
 */
export function afterOthers(
  { socket, calls, latest }: Connection,
  stalled: (socket: Socket) => void,
  then: () => void,
): void {
  // Node resumes the socket when queued answers have been written. It has no reader now: the bytes would be lost.
  const hold = () => void socket.pause();
  const drained = () => {
    for (const res of calls) if (res.socket === socket) res.emit('drain');
  };
  const timedOut = () => stalled(socket);
  socket.on('resume', hold).on('drain', drained).on('timeout', timedOut);
  latest?.once('close', () => {
    socket.off('resume', hold).off('drain', drained).off('timeout', timedOut);
    if (socket.writable) then();
  });
  // A client's reset is noticed only by reading.
  socket.read(0);
}
