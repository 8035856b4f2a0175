import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../model/errors.ts';
import { type BodyLimit, ClientGone, checkDeclared, countWhole, readBody } from './body.ts';
import { checkEncoding, type Decode } from './decode.ts';
import type { CountBody } from './incoming-bytes.ts';
import { noBody, type RequestHead } from './request-head.ts';

/** A request whose head has been read; its body is read on demand. */
export interface IncomingRequest extends RequestHead {
  /** The request id in the log, in the answer and in the forwarded request. */
  readonly id: string;
  /** The `performance.now()` of the request's arrival if the fast path found a stale answer in the cache; else undefined. */
  readonly receivedAt: number | undefined;
  /** The body as received. The first call sets the limit. @throws Refusal tooLarge, busy or mediaType; {@link ClientGone} */
  body(limit: BodyLimit): Promise<Buffer>;
  /** The decompressed body. @throws as `body`, and Refusal malformed for bytes that do not match `Content-Encoding` */
  content(limit: BodyLimit): Promise<Buffer>;
  /** The bytes that `body` has read; empty if it was not called. */
  read(): Promise<Buffer>;
  /** A signal that aborts with {@link ClientGone} when the client disconnects before the whole answer has been sent. */
  disconnectSignal(): AbortSignal;
}

export interface BodyReading {
  /** The body if it has been read or cannot exist, or its refusal; null for a body that has not been read yet. */
  readonly known: Buffer | Refusal | null;
  readonly count: CountBody;
  readonly decode: Decode;
  /** Sends `100 Continue` to a client that waits for it (RFC 9110 10.1.1). */
  proceed(): void;
}

export class Incoming implements IncomingRequest {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHead['headers'];
  readonly remote: string;
  readonly receivedAt: number | undefined;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #reading: BodyReading;
  #body: Promise<Buffer> | null = null;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    id: string,
    head: RequestHead,
    reading: BodyReading,
    receivedAt?: number,
  ) {
    this.receivedAt = receivedAt;
    this.id = id;
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    this.remote = head.remote;
    this.#req = req;
    this.#res = res;
    this.#reading = reading;
  }

  async body(limit: BodyLimit): Promise<Buffer> {
    const { known, count, proceed } = this.#reading;
    checkEncoding(this.#req.headers['content-encoding']);
    checkDeclared(this.#req, limit);
    proceed();
    if (known instanceof Refusal) throw known;
    this.#body ??= known === null ? readBody(this.#req, limit, count) : countWhole(known, count);
    return this.#body;
  }

  async content(limit: BodyLimit): Promise<Buffer> {
    if (this.#reading.known === noBody) return noBody;
    return this.#reading.decode(await this.body(limit), this.#req.headers['content-encoding'], limit);
  }

  async read(): Promise<Buffer> {
    return this.#body ?? noBody;
  }

  disconnectSignal(): AbortSignal {
    const controller = new AbortController();
    // 'close' follows every response. After a fully sent answer there is nothing to abort, so don't create an error with its stack.
    const abort = () => {
      if (!this.#res.writableFinished) controller.abort(new ClientGone());
    };
    if (this.#res.destroyed) abort();
    else this.#res.once('close', abort);
    return controller.signal;
  }
}
