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

/** The head of a request of Node. The address is read on demand: Node looks it up at each access, and most requests need none. */
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
