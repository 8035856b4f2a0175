import { randomUUID } from 'node:crypto';

const form = /^[\w.-]{1,64}$/;

/** The id that a client gave its request, where it is one; null else: it stands in the log as it came. */
export function givenId(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && form.test(header) ? header : null;
}

/** By what a request is known in the log, in its answer and to the application behind. */
export function requestId(header: string | readonly string[] | undefined): string {
  return givenId(header) ?? randomUUID();
}
