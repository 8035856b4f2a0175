/** Answers to clients that are still sending. Closing a socket with unread bytes resets it, and the client loses the answer. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Reply } from '../model/http.ts';
import type { Connection } from './connections.ts';

// An ES import of `node:http` reads every export, and `WebSocket` loads undici: 28 ms and 14 MB on Node 24.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/**
 * Reads the rest of a request and discards it.
 * @returns resolves when the client has sent everything or has disconnected, at the latest after `ms`
 */
export function linger(req: IncomingMessage, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    req.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    req.resume();
  });
}

/**
 * Refuses bytes that are not HTTP or exceed the limits, and ends the connection.
 * @param why the code of the parser's error, or `CONNECT`, and the header limit that the error message names
 * @param headers headers for the refusal; they cannot depend on the request, which could not be read
 */
export function refuseRaw(
  why: ParserError,
  connection: Connection,
  ms: number,
  headers: Readonly<Record<string, string>>,
): void {
  const { socket, latest } = connection;
  if (why.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  // The parser may raise an error for every further chunk.
  if (connection.isRefused || !socket.writable) return;
  connection.isRefused = true;
  const end = () => refuseAndEnd(why, socket, ms, headers);
  if (latest === null || latest.closed) end();
  // Earlier pipelined requests still wait for answers: the client would take a refusal sent now for one of these answers.
  else if (latest.req.complete) latest.once('close', end);
  // The current request's body is unreadable, and its answer has not begun: refuse it. Closing the socket aborts its handling.
  else if (latest.socket === socket && !latest.headersSent) end();
  else socket.destroy();
}

function refuseAndEnd(why: ParserError, socket: Duplex, ms: number, headers: Readonly<Record<string, string>>): void {
  const { status, text } = refusalOf(why);
  answerRaw(socket, { status, headers, body: JSON.stringify(text) }, ms);
}

/** Writes an answer to a connection for which Node has no response object, and ends the connection. */
export function answerRaw(
  socket: Duplex,
  { status, headers, body }: Reply & { readonly body: string },
  ms: number,
): void {
  if (!socket.writable) return;
  const head = Object.entries({
    Connection: 'close',
    'Content-Type': 'application/json;charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`);
  closeAfter(socket, ms);
  socket.resume();
}

/** Closes a connection `ms` after the answer has been sent, because the client may never close its own side. */
export function closeAfterAnswer(socket: Duplex, ms: number): void {
  socket.once('finish', () => closeAfter(socket, ms));
}

function closeAfter(socket: Duplex, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}

interface ParserError {
  readonly code: string;
  readonly headerBytes: number;
}

function refusalOf({ code, headerBytes }: ParserError): { readonly status: number; readonly text: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        text:
          'Request Header Fields Too Large: the URL and the headers are more than ' +
          `${headerBytes} bytes together (limits.headerBytes): send filters by POST`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, text: 'Request Timeout: the request came too slowly' };
    case 'CONNECT':
      return { status: 405, text: 'Method Not Allowed: this is no proxy for CONNECT' };
    default:
      return { status: 400, text: 'Bad request: this is not HTTP' };
  }
}
