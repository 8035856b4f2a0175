import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../model/errors.ts';
import { ClientGone, checkDeclared, countWhole, type Room, readBody } from './body.ts';
import { checkEncoding, type Decode } from './decode.ts';
import { nothing, type RequestHead } from './fast-path.ts';
import type { CountBody } from './incoming-bytes.ts';

/** A request as the edge has read it: everything but its body, which is read on demand. */
export interface IncomingRequest extends RequestHead {
  /** The request id in the log, in the answer and in the forwarded request. */
  readonly id: string;
  /** The bytes as received. The first call sets the limit. @throws Refusal tooLarge, busy or mediaType; {@link ClientGone} */
  body(room: Room): Promise<Buffer>;
  /** The body without its `Content-Encoding`. @throws as `body`, and Refusal malformed */
  content(room: Room): Promise<Buffer>;
  /** The bytes that `body` has read; empty where it was not called. */
  read(): Promise<Buffer>;
  /** Aborted with {@link ClientGone} when the client leaves before the whole answer has been sent. */
  gone(): AbortSignal;
}

export interface Reading {
  /** The body if it has been read or cannot exist. A refusal if it was refused; null: not read yet. */
  readonly known: Buffer | Refusal | null;
  readonly count: CountBody;
  readonly decode: Decode;
  /** Sends `100 Continue` to a client that waits for it (RFC 9110 10.1.1). */
  proceed(): void;
}

/** The request as a call's steps need it. */
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
      // Every response closes. A client with the whole answer has not left, and needs no error with its stack.
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
