/** Errors → replies. */
import { internal, Refusal } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import { failure } from '../reply/envelope.ts';

/** A refusal, with its cause for the log. */
export type RefusedReply = Omit<Reply, 'body'> & { readonly body: string; readonly cause: unknown };

/** Any error → a reply. An error other than `Refusal` is a bug or a failed neighbour: its text is not shown. */
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
