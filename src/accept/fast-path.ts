/** The fast path: a request that equals a cached one is answered before anything is parsed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { internal, type Refusal } from '../model/errors.ts';
import type { ReadyReply } from '../model/http.ts';
import type { Headers } from './caller.ts';
import { checkFraming } from './framing.ts';
import type { CountBody, CountedBody } from './incoming-bytes.ts';

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  /** The address of the peer; `''` once it has disconnected. */
  readonly remote: string;
}

/** The request cache; `find` returns null for a request that must take the full path. */
export interface FastReplies {
  /**
   * @param body `''` if the request has none
   * @returns a promise if the database must first confirm that the reply is fresh. If it turns out to be stale, the promise
   * resolves with the `performance.now()` of the request's arrival, so that the full path does not check again
   */
  find(request: RequestHead, body: string): ReadyReply | Promise<ReadyReply | number> | null;
  /** Whether the cache may have a reply for a request with this head, so that its body is worth reading here. */
  expects(request: RequestHead): boolean;
}

export function headOf(req: IncomingMessage): RequestHead {
  return new LazyHead(req);
}

/** Reads the address only on demand: Node looks it up at each access, and most requests need none. */
class LazyHead implements RequestHead {
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

/** @returns the empty body if the head declares none; null for a body that has to be read */
export function knownBody({ headers }: IncomingMessage): Buffer | null {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined ? noBody : null;
}

/** The largest request body that the request cache can hold. */
const maxBodyBytes = 16_000;
/** The body of a request that has none. */
export const noBody = Buffer.alloc(0);

/**
 * @param take sends a request down the full path, with its body (null if not yet read) or the refusal of its body. `receivedAt` is
 * the time of arrival that `FastReplies.find` returned for a stale reply
 * @param count counts the bytes of a body
 * @param isDraining whether the server is shutting down: each answer must then close its connection, which only the full path does
 * @param waits called for an answer that is still in Node's buffer, because its client is slow or does not read
 */
export function fastPath(
  requestCache: FastReplies,
  take: (req: IncomingMessage, res: ServerResponse, body: Buffer | Refusal | null, receivedAt?: number) => void,
  count: (res: ServerResponse) => CountBody,
  isDraining: () => boolean,
  waits: (res: ServerResponse, body: Uint8Array | null) => void,
): (req: IncomingMessage, res: ServerResponse) => void {
  const answer = (res: ServerResponse, { status, head, body }: ReadyReply) => {
    res.writeHead(status, head).end(body);
    // The kernel has usually accepted the whole answer by now. Tracking every answer would cost 5 % of its time.
    if (res.writableLength > 0) waits(res, body);
  };
  /** Sends the cached reply; without one, the request takes the full path. */
  const finish = (
    req: IncomingMessage,
    res: ServerResponse,
    found: ReturnType<FastReplies['find']>,
    body: Buffer | null,
  ): void => {
    if (found === null) take(req, res, body);
    else if (!(found instanceof Promise)) answer(res, found);
    else
      found.then(
        (ready) => {
          if (res.destroyed) return;
          if (typeof ready === 'number') take(req, res, body, ready);
          else finish(req, res, isDraining() ? null : ready, body);
        },
        (error) => take(req, res, internal(error)),
      );
  };
  const readWhole = (req: IncomingMessage, res: ServerResponse, request: RequestHead, length: number) => {
    const chunks: Buffer[] = [];
    let isRefused = false;
    const refuse = (why: Refusal) => {
      isRefused = true;
      chunks.length = 0;
      take(req, res, why);
    };
    /** Null if the whole body comes in one chunk, as is usual: counting it would cost more than the lookup. */
    let counted: CountedBody | null = null;
    req.on('data', (chunk: Buffer) => {
      if (chunk.length < length) counted ??= count(res)(refuse);
      if (counted === null || counted.add(chunk.length)) chunks.push(chunk);
    });
    req.on('end', () => {
      if (isRefused) return;
      // The full path counts the body again if it needs it for longer.
      counted?.forget();
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      try {
        finish(req, res, requestCache.find(request, body.toString('latin1')), body);
      } catch (error) {
        // Only a bug of ours throws here; uncaught, it would end the process.
        take(req, res, internal(error));
      }
    });
  };
  return (req, res) => {
    const { headers } = req;
    const { 'content-length': declared = '0' } = headers;
    const length = Number(declared);
    const isPlain = headers['transfer-encoding'] === undefined && checkFraming(req) === null;
    const request = headOf(req);
    if (isPlain && declared === '0') {
      const found = requestCache.find(request, '');
      if (found !== null) {
        finish(req, res, found, noBody);
        return;
      }
    } else if (isPlain && length <= maxBodyBytes && requestCache.expects(request)) {
      readWhole(req, res, request, length);
      return;
    }
    take(req, res, knownBody(req));
  };
}
