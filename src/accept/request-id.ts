import { randomUUID } from 'node:crypto';

const form = /^[\w.-]{1,64}$/;

/** The request id that the client sent, if it is well-formed; else null. The log contains it verbatim. */
export function givenId(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && form.test(header) ? header : null;
}

/** The request id for the log, the answer and the forwarded request. */
export function requestId(header: string | readonly string[] | undefined): string {
  return givenId(header) ?? randomUUID();
}
