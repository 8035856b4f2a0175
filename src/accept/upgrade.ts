/** Connections that Node's parser has let go of: each request that asks for another protocol ends its work (nodejs/node#4334). */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from './connections.ts';

/**
 * Puts what was read of a request back on its connection, to be read anew.
 * @param head what came after the head of the request
 * @param without the header to leave out, in lower case; null for none
 */
export function putBack(req: IncomingMessage, socket: Duplex, head: Buffer, without: 'upgrade' | null): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    // Without a blank: the head must not be larger than it came, or it may be over its bound.
    if (req.rawHeaders[i]?.toLowerCase() !== without) lines.push(`${req.rawHeaders[i]}:${req.rawHeaders[i + 1]}`);
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
}

/** Whether requests before this one wait for their answers: nothing else may be written before them. */
export function isBehindOthers({ latest }: Connection): boolean {
  return latest !== null && !latest.closed;
}

/**
 * Waits until all requests before have been answered. Node has taken its listeners off the socket, so what the answers under way
 * need of them is done here.
 * @param stalled called when the socket has stood still for its timeout
 * @param then not called where the connection ends with these answers
 */
export function afterOthers(
  { socket, calls, latest }: Connection,
  stalled: (socket: Socket) => void,
  then: () => void,
): void {
  // Node resumes the socket when queued answers have been written. Nobody reads it now: the bytes would be lost.
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
  // The reset of a client is only heard by reading.
  socket.read(0);
}
