/** The end of a call: errors become answers, and each answer is reported to the log and the metrics. */
import { ClientGone } from '../accept/body.ts';
import type { Gateway } from '../app/gateway.ts';
import type { CacheHandle } from '../cache/handle.ts';
import type { Spent } from '../execute/connection/meter.ts';
import type { Plan } from '../model/any-plan.ts';
import { Refusal } from '../model/errors.ts';
import { type Caller, isStream, type Lookup, type Reply } from '../model/http.ts';
import { RpcError, type RpcId } from '../model/rpc.ts';
import { withCors } from '../reply/cors.ts';
import { missingPage } from '../reply/front-page.ts';
import { rpcFailure } from '../reply/rpc.ts';
import type { Call } from './call.ts';
import { header, isBrowser } from './classify.ts';
import { refuse } from './refuse.ts';

/** A reply, with facts for the log and the request cache. */
export interface CallAnswer {
  readonly reply: Reply;
  /** Where a cacheable body came from; null if the body is not cacheable. */
  readonly source: Lookup['source'] | null;
  /** What the request cache needs to answer an equal request; null if it must not. */
  readonly hint: CacheHint | null;
  /** The error behind a refusal, which the client does not see. */
  readonly cause: unknown;
}

/** What the request cache needs to answer an equal request: the caller's rights have been checked. */
export interface CacheHint {
  readonly gateway: Gateway;
  readonly handle: CacheHandle;
  /** Whose rights were checked; null for an anonymous caller. */
  readonly caller: Caller | null;
  /** The value of `Cache-Control` in the answers. */
  readonly control: string;
}

/** An answer with this reply, which no cache stores. */
export function uncached(reply: Reply): CallAnswer {
  return { reply, source: null, hint: null, cause: undefined };
}

/**
 * Turns an error into an answer. Rethrows `ClientGone`, because nobody is there to read an answer.
 * @param id the request to `/mcp` that failed; null if it could not be read, and for all other addresses
 */
export function answerOfError(error: unknown, call: Call, id: RpcId | null = null): CallAnswer {
  if (error instanceof ClientGone) throw error;
  if (error instanceof RpcError) return uncached(rpcFailure(id, error));
  const { cause, ...reply } = refuse(error, call.help);
  if (call.route.to === 'mcp') return { ...uncached(rpcFailure(id, error, reply.headers)), cause };
  return { ...uncached({ ...reply, ...(error instanceof Refusal ? pageForMissing(error, call) : null) }), cause };
}

/** The HTML page that a browser gets for a 404; null for other errors and for calls of the API, which answers in JSON. */
function pageForMissing(
  { kind, message }: Refusal,
  { gateway, request, route }: Call,
): Pick<Reply, 'headers' | 'body'> | null {
  if (kind !== 'notFound' || route.to === 'action' || route.to === 'openapi' || !isBrowser(request)) return null;
  const { server, explorer } = gateway.settings;
  const home = explorer.serve === 'none' ? '/' : '/datastore/explore';
  const { headers, body } = missingPage(server.title, message, `${server.basePath}${home}`);
  return { headers: { ...headers, Vary: 'Accept', 'Cache-Control': 'no-cache' }, body };
}

/** Adds the CORS headers, and emits the `answered` event: at once, or after the last piece of a stream. */
export function finish(call: Call, { reply, source, cause }: CallAnswer): Reply {
  const { gateway, request, route, address, began, log } = call;
  const emitAnswered = (cause: unknown) => {
    // Copy field by field: spreading `log` and `spent` is measurably slower, for every call.
    const { action, via, resource, caller, spent } = log;
    gateway.emit({
      on: 'answered',
      id: request.id,
      address,
      action,
      via,
      resource,
      caller,
      cache: source,
      status: log.status ?? reply.status,
      milliseconds: performance.now() - began,
      waited: spent.waited,
      queried: spent.queried,
      cause,
    });
  };
  const { cors, mcp } = gateway.settings;
  const { origins } = route.to === 'mcp' ? mcp : cors;
  const headers = withCors(reply.headers, header(request, 'origin'), origins, request.method === 'OPTIONS');
  const { body } = reply;
  if (isStream(body) && request.method !== 'HEAD') {
    return { ...reply, headers, body: { ...body, pieces: watched(body.pieces, emitAnswered) } };
  }
  emitAnswered(cause);
  return headers === reply.headers ? reply : { ...reply, headers };
}

/**
 * Emits the `queried` event after a plan was run, and adds its time on the database to the call's.
 * @param server `primary`, or the name of a replica
 */
export function emitQueried(
  { gateway, log }: Call,
  server: string,
  effect: Plan['effect'] | 'dump',
  { table: { database, resource } }: Plan,
  { waited, queried }: Spent,
): void {
  gateway.emit({ on: 'queried', server, effect, waited, queried, database, resource });
  log.spent.waited += waited;
  log.spent.queried += queried;
}

/** Calls `ended` after the last piece, with the error if there was one. */
async function* watched<T>(pieces: AsyncIterable<T>, ended: (cause: unknown) => void): AsyncGenerator<T, void> {
  let cause: unknown = new ClientGone();
  try {
    yield* pieces;
    cause = undefined;
  } catch (error) {
    cause = error instanceof Refusal ? (error.cause ?? error) : error;
    throw error;
  } finally {
    ended(cause);
  }
}
