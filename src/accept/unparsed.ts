/** Connections that Node's parser releases: requests for another protocol, CONNECT, and unreadable requests. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Reply } from '../model/http.ts';
import type { Connections } from './connections.ts';
import type { Limits } from './limits.ts';
import { answerRaw, closeAfterAnswer, refuseRaw } from './linger.ts';
import { checkFraming, identified } from './request-head.ts';
import { afterOthers, isBehindOthers, putBack } from './upgrade.ts';

export interface Unparsed {
  readonly connections: Connections;
  readonly limits: Limits;
  /**
   * Forwards a connection that asks for another protocol.
   * @param refuse sends a refusal, while the connection still speaks HTTP
   * @returns false if the request is to be answered as ordinary HTTP; if `upgrade` itself is null, all requests are
   */
  readonly upgrade:
    | ((req: IncomingMessage, socket: Duplex, head: Buffer, refuse: (error: unknown) => void) => boolean)
    | null;
  refuse(error: unknown, origin: string | undefined): Reply & { readonly body: string };
  /** Headers for the answer to an unreadable request. */
  unreadable(): Readonly<Record<string, string>>;
  /** Whether a forwarded body is still arriving on this connection; the request timeout does not apply to it. */
  isUploading(socket: Duplex): boolean;
}

export function takeUnparsed(server: Server, options: Unparsed): void {
  const { connections, limits, upgrade } = options;
  const stalled = (socket: Socket) => connections.stalled(socket);
  // With a listener, Node passes us every request that asks for an upgrade, even from `curl --http2`, and answers none itself.
  if (upgrade !== null)
    server.on('upgrade', (req, socket, head) => {
      const connection = connections.of(socket);
      // An answer to an earlier request has already ended the connection.
      if (connection === undefined || !socket.writable) return;
      const parseAgain = () => {
        server.emit('connection', socket);
        socket.resume();
      };
      if (isBehindOthers(connection)) {
        putBack(req, socket, head, null);
        afterOthers(connection, stalled, parseAgain);
        return;
      }
      const refuse = (error: unknown) => answerRaw(socket, options.refuse(error, req.headers.origin), limits.lingerMs);
      identified(req);
      try {
        connection.isUpgraded = checkFraming(req) === null && upgrade(req, socket, head, refuse);
      } catch (error) {
        // Only a bug of ours throws here; uncaught, it would end the process.
        connection.isUpgraded = true;
        refuse(error);
      }
      if (connection.isUpgraded) return closeAfterAnswer(socket, limits.lingerMs);
      putBack(req, socket, head, 'upgrade');
      parseAgain();
    });
  const refused = (code: string, socket: Duplex) => {
    const connection = connections.of(socket);
    if (connection === undefined) return;
    // Node's request timeout also covers the body, but a forwarded upload may take as long as bytes flow.
    const isUpload = options.isUploading(socket) && [...connection.calls].every(({ req }) => !req.complete);
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUpload) return;
    refuseRaw({ code, headerBytes: limits.headerBytes }, connection, limits.lingerMs, options.unreadable());
  };
  server.on('connect', (_, socket) => {
    const connection = connections.of(socket);
    const refuse = () => refused('CONNECT', socket);
    if (connection !== undefined && isBehindOthers(connection)) afterOthers(connection, stalled, refuse);
    else refuse();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refused(error.code ?? '', socket));
}
