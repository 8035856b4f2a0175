/** Connections that Node's parser has released: it stops at each request for another protocol (nodejs/node#4334). */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from './connections.ts';

/**
 * Puts the bytes of a request back on its connection, to be parsed again.
 * @param head the bytes after the head of the request
 * @param without the lower-case name of a header to leave out; null to keep all
 */
export function putBack(req: IncomingMessage, socket: Duplex, head: Buffer, without: 'upgrade' | null): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    // No blank after the colon: the head must not grow, or it may exceed `limits.headerBytes`.
    if (req.rawHeaders[i]?.toLowerCase() !== without) lines.push(`${req.rawHeaders[i]}:${req.rawHeaders[i + 1]}`);
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
}

/** Whether answers to earlier requests are still due; nothing else may be written before them. */
export function isBehindOthers({ latest }: Connection): boolean {
  return latest !== null && !latest.closed;
}

/**
 * Waits until all earlier requests have been answered. Node has removed its own listeners from the socket, so this function
 * handles 'drain' and 'timeout' for those answers.
 * @param stalled called when the socket has been inactive for its timeout
 * @param then called after the last answer, unless that answer closed the connection
 */
export function afterOthers(
  { socket, calls, latest }: Connection,
  stalled: (socket: Socket) => void,
  then: () => void,
): void {
  // Node resumes the socket after it has written queued answers. Nothing listens for data yet, so arriving bytes would be lost.
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
  // Without a pending read, we would not notice that the client has reset the connection.
  socket.read(0);
}
