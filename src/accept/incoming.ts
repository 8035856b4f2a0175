import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../model/errors.ts';
import { ClientGone, checkDeclared, countWhole, type Room, readBody } from './body.ts';
import { checkEncoding, type Decode } from './decode.ts';
import type { CountBody } from './incoming-bytes.ts';
import { nothing, type RequestHead } from './quick.ts';

/** A request as the edge has read it: everything but its body, which is read when it is asked for. */
export interface IncomingRequest extends RequestHead {
  /** By what it is known in the log, in its answer and to the application behind. */
  readonly id: string;
  /** The bytes as they came. The first call decides how many there may be. @throws Refusal tooLarge, busy or mediaType; {@link ClientGone} */
  body(room: Room): Promise<Buffer>;
  /** The body without its `Content-Encoding`. @throws as `body`, and Refusal malformed */
  content(room: Room): Promise<Buffer>;
  /** What `body` has read; empty where nobody asked for it. */
  read(): Promise<Buffer>;
  /** Aborted with {@link ClientGone} when the client leaves before the whole answer has been sent. */
  gone(): AbortSignal;
}

export interface Reading {
  /** The body where it has been read already or cannot be there, or why it was refused while it was read. */
  readonly known: Buffer | Refusal | null;
  readonly count: CountBody;
  readonly decode: Decode;
  /** Tells a client that waits for it to send the body (RFC 9110 10.1.1). */
  proceed(): void;
}

/** What is needed of a request that is a call of ours. */
export function incoming(
  req: IncomingMessage,
  res: ServerResponse,
  head: RequestHead & Pick<IncomingRequest, 'id'>,
  { known, count, decode, proceed }: Reading,
): IncomingRequest {
  let body: Promise<Buffer> | null = null;
  const request: IncomingRequest = {
    ...head,
    body: async (room) => {
      checkEncoding(req.headers['content-encoding']);
      checkDeclared(req, room);
      proceed();
      if (known instanceof Refusal) throw known;
      body ??= known === null ? readBody(req, room, count) : countWhole(known, count);
      return body;
    },
    content: async (room) => decode(await request.body(room), req.headers['content-encoding'], room),
    read: async () => body ?? nothing,
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
