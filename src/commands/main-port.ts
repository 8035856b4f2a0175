import type { IncomingRequest } from '../accept/incoming.ts';
import { defaultLimits, type Limits } from '../accept/limits.ts';
import { GatewayServer } from '../accept/server.ts';
import type { Current } from '../app/current.ts';
import type { Settings } from '../config/assemble.ts';
import type { Spool } from '../execute/dump/spool.ts';
import type { Upstream } from '../forward/proxy.ts';
import type { Emit } from '../model/events.ts';
import type { ForwardedRequest, Reply } from '../model/http.ts';
import { answer } from '../pipeline/answer.ts';
import { forwardedByTarget, forwardedUpgrade } from '../pipeline/classify.ts';
import { refuse } from '../pipeline/refuse.ts';
import { RequestCache } from '../pipeline/request-cache.ts';
import { corsHeaders, withCors } from '../reply/cors.ts';
import { send } from '../reply/send.ts';
import { clientRoom, openFilesLimit } from './open-files.ts';

/** The port for clients. The current gateway answers their calls; all other requests go to the upstream, if there is one. */
export class MainPort {
  readonly #current: Current;
  readonly #logsAllRequests: boolean;
  readonly #requestCache: RequestCache;
  readonly #upstream: Upstream | null;
  readonly #server: GatewayServer;
  /** The calls being answered right now. */
  readonly #running = new Set<Promise<unknown>>();
  #isLeaving = false;

  constructor(settings: Settings, current: Current, upstream: Upstream | null, spool: Spool, emit: Emit) {
    this.#current = current;
    this.#logsAllRequests = settings.log.requests === 'all';
    this.#requestCache = new RequestCache(() => current.gateway);
    this.#upstream = upstream;
    this.#server = new GatewayServer({
      limits: limitsOf(settings, spool, emit),
      full: (closed) => emit({ on: 'connections full', closed }),
      requestCache: this.#requestCache,
      answer: (request) => this.#track(this.#answer(request)),
      refuse(error, origin) {
        const { server, cors } = current.gateway.settings;
        const reply = refuse(error, server.siteUrl);
        return { ...reply, headers: withCors(reply.headers, origin, cors.origins) };
      },
      // We don't know the origin of an unreadable request. `null` is harmless, as the answer is only a message like "the URL is too long".
      unreadable: () => corsHeaders('null', current.gateway.settings.cors.origins),
      send,
      forwardedByTarget: upstream && ((head) => forwardedByTarget(current.gateway, head)),
      forward: (req, res, forwarded, done) => upstream?.pass(req, res, forwarded, done),
      upgrade:
        upstream &&
        ((req, socket, head, refuse) => {
          const { method = '', url: target = '', headers } = req;
          const remote = req.socket.remoteAddress ?? '';
          const forwarded = forwardedUpgrade(current.gateway, { method, target, headers, remote });
          if (forwarded === null) return false;
          upstream.upgrade(req, socket, head, forwarded, refuse);
          return true;
        }),
    });
  }

  /** @returns the port; for port 0 the port that the system assigned */
  listen({ port, host }: { readonly port: number; readonly host: string }): Promise<number> {
    return this.#server.listen(port, host);
  }

  levels(): ReturnType<GatewayServer['levels']> {
    return this.#server.levels();
  }

  /** Resolves when all calls that are running now have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Whether the port is about to close. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** From now on, closes each connection after its next answer. */
  leave(): void {
    this.#isLeaving = true;
    this.#server.leave();
  }

  /** Closes idle connections, lets in-flight requests finish, and destroys all remaining connections after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    await this.#server.close(graceMs);
    this.#upstream?.close();
  }

  /** Answers a request, and stores the answer for the fast path. */
  async #answer(request: IncomingRequest): Promise<Reply | ForwardedRequest> {
    const answered = await answer(this.#current.gateway, request);
    if ('to' in answered) return answered;
    const { reply, hint, call } = answered;
    // With `log.requests: all`, don't fill the fast path's cache: its hits lack the data for a log line.
    if (hint !== null && !this.#logsAllRequests)
      this.#requestCache.store(request, (await request.read()).toString('latin1'), hint, call.log);
    return reply;
  }

  #track<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call);
    return call.finally(() => this.#running.delete(call));
  }
}

/** The port's limits. Warns if the system allows too few open files for `limits.connections`. */
function limitsOf(settings: Settings, spool: Spool, emit: Emit): Limits {
  const { headerBytes, incomingBytes, unsentBytes } = settings.limits;
  const { connections, warning } = clientRoom(settings, openFilesLimit(), spool.maxFiles);
  if (warning !== null) emit({ on: 'warned', text: warning });
  return { ...defaultLimits, connections, headerBytes, incomingBytes, unsentBytes };
}
