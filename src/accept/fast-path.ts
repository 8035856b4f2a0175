/** The fast path: a request that equals a cached one is answered before anything is parsed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { internal, type Refusal } from '../model/errors.ts';
import type { ReadyReply } from '../model/http.ts';
import type { Headers } from './caller.ts';
import { checkFraming } from './framing.ts';
import type { FullPath, ServerState } from './full-path.ts';
import type { CountedBody } from './incoming-bytes.ts';

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

/** The head of a request of Node. The address is read on demand: Node looks it up at each access, and most requests need none. */
export class NodeHead implements RequestHead {
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

export class FastPath {
  readonly #cache: FastReplies;
  readonly #fullPath: FullPath;
  readonly #state: Pick<ServerState, 'incomingBytes' | 'unsent'>;
  readonly #stalledTimeoutMs: number;

  constructor(
    cache: FastReplies,
    fullPath: FullPath,
    state: Pick<ServerState, 'incomingBytes' | 'unsent'>,
    stalledTimeoutMs: number,
  ) {
    this.#cache = cache;
    this.#fullPath = fullPath;
    this.#state = state;
    this.#stalledTimeoutMs = stalledTimeoutMs;
  }

  /** Answers a request from the cache, or sends it down the full path. */
  answer(req: IncomingMessage, res: ServerResponse): void {
    const { headers } = req;
    const { 'content-length': declared = '0' } = headers;
    const length = Number(declared);
    const isPlain = headers['transfer-encoding'] === undefined && checkFraming(req) === null;
    const request = new NodeHead(req);
    if (isPlain && declared === '0') {
      this.#finish(req, res, this.#cache.find(request, ''), noBody);
    } else if (isPlain && length <= maxBodyBytes && this.#cache.expects(request)) {
      this.#readWhole(req, res, request, length);
    } else {
      void this.#fullPath.take(req, res, knownBody(req));
    }
  }

  /** Sends the cached reply; without one, the request takes the full path. */
  #finish(req: IncomingMessage, res: ServerResponse, found: ReturnType<FastReplies['find']>, body: Buffer): void {
    if (found === null) void this.#fullPath.take(req, res, body);
    else if (!(found instanceof Promise)) this.#send(res, found);
    else
      found.then(
        (ready) => {
          if (res.destroyed) return;
          if (typeof ready === 'number') return this.#fullPath.take(req, res, body, ready);
          this.#finish(req, res, this.#fullPath.isLeaving ? null : ready, body);
        },
        (error) => this.#fullPath.take(req, res, internal(error)),
      );
  }

  #send(res: ServerResponse, { status, head, body }: ReadyReply): void {
    res.writeHead(status, head).end(body);
    // The kernel has usually accepted the whole answer by now. Tracking every answer would cost 5 % of its time.
    if (res.writableLength === 0) return;
    // The client is slow, or does not read.
    res.socket?.setTimeout(this.#stalledTimeoutMs);
    if (body !== null) this.#state.unsent.add(res, body);
  }

  #readWhole(req: IncomingMessage, res: ServerResponse, request: RequestHead, length: number): void {
    const chunks: Buffer[] = [];
    let isRefused = false;
    const refuse = (why: Refusal) => {
      isRefused = true;
      chunks.length = 0;
      void this.#fullPath.take(req, res, why);
    };
    /** Null if the whole body comes in one chunk, as is usual: counting it would cost more than the lookup. */
    let counted: CountedBody | null = null;
    req.on('data', (chunk: Buffer) => {
      if (chunk.length < length) counted ??= this.#state.incomingBytes.open(res, refuse);
      if (counted === null || counted.add(chunk.length)) chunks.push(chunk);
    });
    req.on('end', () => {
      if (isRefused) return;
      // The full path counts the body again if it needs it for longer.
      counted?.forget();
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      try {
        this.#finish(req, res, this.#cache.find(request, body.toString('latin1')), body);
      } catch (error) {
        // Only a bug of ours throws here; uncaught, it would end the process.
        void this.#fullPath.take(req, res, internal(error));
      }
    });
  }
}
