/** The fast path at the edge: an exact match in the request cache is answered before anything is parsed. */
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
  /** The address of the peer, `''` when it has already left. */
  readonly remote: string;
}

/** The request cache; `find` returns null for a request that must take the full path. */
export interface FastReplies {
  /**
   * @param body `''` where there is none
   * @returns a promise where the database is asked first whether the reply is fresh. For a stale reply, it gives the time of the
   * request by `performance.now()`: the full path need not ask again
   */
  find(request: RequestHead, body: string): ReadyReply | Promise<ReadyReply | number> | null;
  /** Whether the body after such a head is worth reading here. */
  expects(request: RequestHead): boolean;
}

export function headOf(req: IncomingMessage): RequestHead {
  return new LazyHead(req);
}

/** Node looks up the address at each access, and most requests need none. */
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

/** The empty body if the head declares none; null for a body that has to be read. */
export function knownBody({ headers }: IncomingMessage): Buffer | null {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined ? nothing : null;
}

/** Bytes of the largest body that may be in the request cache. */
const mostBytes = 16_000;
/** The body of a request that has none. */
export const nothing = Buffer.alloc(0);

/**
 * @param take takes a request the full path. It gets the body, if that has been read or cannot exist, or the refusal; and the time,
 * where `find` gives it
 * @param count counts the bytes of a body
 * @param isDraining whether the answer must end its connection, so that it has to take the full path
 * @param waits called for an answer that the system has not fully accepted: its client is slow, or does not read
 */
export function fastPath(
  requestCache: FastReplies,
  take: (req: IncomingMessage, res: ServerResponse, body: Buffer | Refusal | null, asked?: number) => void,
  count: (res: ServerResponse) => CountBody,
  isDraining: () => boolean,
  waits: (res: ServerResponse, body: Uint8Array | null) => void,
): (req: IncomingMessage, res: ServerResponse) => void {
  const answer = (res: ServerResponse, { status, head, body }: ReadyReply) => {
    res.writeHead(status, head).end(body);
    // Mostly the system has accepted all of it by now. A timer for every answer would take a twentieth of it.
    if (res.writableLength > 0) waits(res, body);
  };
  /** Answers a request, or takes it the full path. */
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
  const whole = (req: IncomingMessage, res: ServerResponse, request: RequestHead, length: number) => {
    const chunks: Buffer[] = [];
    let isRefused = false;
    const refuse = (why: Refusal) => {
      isRefused = true;
      chunks.length = 0;
      take(req, res, why);
    };
    /** Null where the whole body came in one chunk, as mostly: counting it would cost more than the lookup. */
    let counted: CountedBody | null = null;
    req.on('data', (chunk: Buffer) => {
      if (chunk.length < length) counted ??= count(res)(refuse);
      if (counted === null || counted.add(chunk.length)) chunks.push(chunk);
    });
    req.on('end', () => {
      if (isRefused) return;
      // The full path counts it again if it holds the body for longer.
      counted?.forget();
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      try {
        finish(req, res, requestCache.find(request, body.toString('latin1')), body);
      } catch (error) {
        // A bug of ours, which would end the process here.
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
        finish(req, res, found, nothing);
        return;
      }
    } else if (isPlain && length <= mostBytes && requestCache.expects(request)) {
      whole(req, res, request, length);
      return;
    }
    take(req, res, knownBody(req));
  };
}
