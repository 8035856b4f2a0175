/** The head of a request, before its body is read. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Headers } from './caller.ts';

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  /** The address of the peer; `''` once it has disconnected. */
  readonly remote: string;
}

/** The head of a Node request. The address is read on demand: Node looks it up at each access, and most requests need none. */
export class NodeHead implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly #socket: Socket;

  constructor({ method = '', url = '', headers, socket }: IncomingMessage) {
    this.method = method;
    this.target = url;
    this.headers = headers;
    this.#socket = socket;
  }

  get remote(): string {
    return this.#socket.remoteAddress ?? '';
  }
}

/** The body of a request that has none. */
export const noBody = Buffer.alloc(0);

/** @returns the empty body if the head declares none; null for a body that has to be read */
export function knownBody({ headers }: IncomingMessage): Buffer | null {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined ? noBody : null;
}

const idForm = /^[\w.-]{1,64}$/;

/** The request id that the client sent; null if it is malformed, because the log contains it verbatim. */
export function givenId(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && idForm.test(header) ? header : null;
}

/** The request id for the log and the answer. It is also set in the headers, so that a forwarded request carries it. */
export function identified({ headers }: IncomingMessage): string {
  const id = givenId(headers['x-request-id']) ?? randomUUID();
  headers['x-request-id'] = id;
  return id;
}

export interface FramingHead {
  readonly httpVersion: string;
  readonly headers: Headers;
  /** Names and values in turn, as received: `headers` shows only the first `Host`. */
  readonly rawHeaders: readonly string[];
}

/**
 * Detects heads that another HTTP parser may read differently from Node's: request smuggling (RFC 9112 3.2 and 6.1).
 * @returns an error message if the request's host or the end of its body is ambiguous; else null
 */
export function checkFraming({ httpVersion, headers, rawHeaders }: FramingHead): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return `this is no HTTP/1.1, but ${httpVersion}`;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) return `there are ${hosts} Host headers`;
  if (hosts === 0 && httpVersion === '1.1') return 'there is no Host header';
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return null;
  if (httpVersion === '1.0') return 'HTTP/1.0 has no Transfer-Encoding';
  return String(encoding).trim().toLowerCase() === 'chunked' ? null : 'Transfer-Encoding must be chunked';
}
