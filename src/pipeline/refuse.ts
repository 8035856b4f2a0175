/** Turns errors into replies. */
import { internal, Refusal } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import { failure } from '../reply/envelope.ts';

/** The reply to a failed call, with the cause for the log. */
export type RefusedReply = Omit<Reply, 'body'> & { readonly body: string; readonly cause: unknown };

/** Turns any error into a reply. Only the text of a `Refusal` is for clients; any other error is a bug or an outage. */
export function refuse(error: unknown, help: string): RefusedReply {
  const refused = error instanceof Refusal ? error : internal(error);
  const headers = refused.retryAfter === null ? {} : { 'Retry-After': String(refused.retryAfter) };
  return {
    status: refused.status,
    headers: { 'Cache-Control': 'no-cache', ...headers },
    body: failure(help, refused),
    cause: refused.cause,
  };
}
