/** The fast path: a request that equals a cached one is answered before anything is parsed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { internal, type Refusal } from '../model/errors.ts';
import type { ReadyReply } from '../model/http.ts';
import type { FullPath, ServerState } from './full-path.ts';
import type { CountedBody } from './incoming-bytes.ts';
import { checkFraming, knownBody, NodeHead, noBody, type RequestHead } from './request-head.ts';
import type { FastReplies } from './server-options.ts';

/** The largest request body that the request cache can hold. */
const maxBodyBytes = 16_000;

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
