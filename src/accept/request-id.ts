import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const form = /^[\w.-]{1,64}$/;

/** The request id that the client sent; null if it is malformed, because the log contains it verbatim. */
export function givenId(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && form.test(header) ? header : null;
}

/** The request id for the log and the answer. It is also set in the headers, so that a forwarded request carries it. */
export function identified({ headers }: IncomingMessage): string {
  const id = givenId(headers['x-request-id']) ?? randomUUID();
  headers['x-request-id'] = id;
  return id;
}
