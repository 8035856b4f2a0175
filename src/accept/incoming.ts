import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientGone, checkDeclared, readBody } from './body.ts';
import { checkEncoding, type Decode } from './decode.ts';
import type { RequestHead } from './quick.ts';

/** A request as the edge has read it: everything but its body, which is read when it is asked for. */
export interface IncomingRequest extends RequestHead {
  /** By what it is known in the log, in its answer and to the application behind. */
  readonly id: string;
  /** The bytes as they came. @throws Refusal tooLarge or mediaType; {@link ClientGone} */
  body(): Promise<Buffer>;
  /** The body without its `Content-Encoding`. @throws as `body`, and Refusal malformed */
  content(): Promise<Buffer>;
  /** Aborted with {@link ClientGone} when the client leaves before the whole answer has been sent. */
  gone(): AbortSignal;
}

export interface Reading {
  /** The body where it has been read already, or cannot be there. */
  readonly known: Buffer | null;
  readonly bodyBytes: number;
  readonly decode: Decode;
  /** Tells a client that waits for it to send the body (RFC 9110 10.1.1). */
  proceed(): void;
}

/** What is needed of a request that is a call of ours. */
export function incoming(
  req: IncomingMessage,
  res: ServerResponse,
  head: RequestHead & Pick<IncomingRequest, 'id'>,
  { known, bodyBytes, decode, proceed }: Reading,
): IncomingRequest {
  let body: Promise<Buffer> | null = known === null ? null : Promise.resolve(known);
  const request: IncomingRequest = {
    ...head,
    body: async () => {
      checkEncoding(req.headers['content-encoding']);
      checkDeclared(req, bodyBytes);
      proceed();
      body ??= readBody(req, bodyBytes);
      return body;
    },
    content: async () => decode(await request.body(), req.headers['content-encoding']),
    gone: () => {
      const controller = new AbortController();
      // Every response closes; who has the whole answer has not left, and is not worth an error with its stack.
      const abort = () => {
        if (!res.writableFinished) controller.abort(new ClientGone());
      };
      if (res.destroyed) abort();
      else res.once('close', abort);
      return controller.signal;
    },
  };
  return request;
}
