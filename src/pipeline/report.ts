/** The end of a call: an error becomes an answer, and each answer becomes one event for the log. */
import { ClientGone } from '../accept/body.ts';
import { callerIn } from '../accept/permit.ts';
import { type Spent, unspent } from '../execute/connection/meter.ts';
import { Refusal } from '../model/errors.ts';
import { isStream, type Lookup, type Reply } from '../model/http.ts';
import { withCors } from '../reply/cors.ts';
import { missingPage } from '../reply/front-page.ts';
import type { Call } from './begin.ts';
import type { CacheHint } from './cached.ts';
import { header, isBrowser } from './classify.ts';
import { refuse } from './refuse.ts';
import { actionNamed } from './site.ts';

/** What the log says of a call, beside its reply. */
export interface CallLog {
  /** One of few words: an action, `unknown` for an unknown name. */
  readonly action: string;
  /** Null where the call named no configured resource. */
  readonly resource: string | null;
  /** The name of the caller's token; null for anonymous. */
  readonly caller: string | null;
  /** A download adds to it until its last byte. */
  readonly spent: Spent;
}

/** What a step returns: a reply, and the facts for the log and for the request cache. */
export interface CallAnswer {
  readonly reply: Reply;
  readonly log: CallLog;
  /** The source of a cacheable body; null for all others. */
  readonly source: Lookup['source'] | null;
  /** Null where the request cache may not answer the next equal request. */
  readonly hint: CacheHint | null;
  /** The error behind a refusal, which the client does not see. */
  readonly cause: unknown;
}

/** The facts of a call about this resource, if it named one. */
export function logOf({ route, sender }: Pick<Call, 'route' | 'sender'>, resource: string | null = null): CallLog {
  return { action: actionOf(route), resource, caller: callerIn(sender)?.name ?? null, spent: unspent() };
}

/** The action for metrics and log. All unknown names share one value, so that there are few. */
function actionOf(route: Call['route']): string {
  if (route.to === 'action') return actionNamed(route.name)?.name ?? 'unknown';
  return route.to === 'dump' ? 'datastore_dump' : route.to === 'nothing' ? 'unknown' : route.to;
}

/** A reply that no cache holds. */
export function uncached(reply: Reply, log: CallLog): CallAnswer {
  return { reply, log, source: null, hint: null, cause: undefined };
}

/** An error as an answer. Throws `ClientGone`: its client has left. */
export function failed(error: unknown, call: Call, log: CallLog): CallAnswer {
  if (error instanceof ClientGone) throw error;
  const { cause, ...reply } = refuse(error, call.help);
  return { ...uncached({ ...reply, ...(error instanceof Refusal ? missing(error, call) : null) }, log), cause };
}

/** The page that a browser gets for a missing address; null for other errors. The API itself answers in JSON. */
function missing(
  { kind, message }: Refusal,
  { gateway, request, route }: Call,
): Pick<Reply, 'headers' | 'body'> | null {
  if (kind !== 'notFound' || route.to === 'action' || route.to === 'openapi' || !isBrowser(request)) return null;
  const { server, explorer } = gateway.settings;
  const home = explorer.serve === 'none' ? '/' : '/datastore/explore';
  const { headers, body } = missingPage(server.title, message, `${server.basePath}${home}`);
  return { headers: { ...headers, Vary: 'Accept', 'Cache-Control': 'no-cache' }, body };
}

/** Adds the CORS headers, and emits the event of the call when its answer has been made, or when a stream has ended. */
export function finish(call: Call, { reply, log, source, cause }: CallAnswer): Reply {
  const { gateway, request, address, began } = call;
  const ended = (cause: unknown) => {
    // Destructured by name: copying objects for every call costs more than their fields.
    const { action, resource, caller, spent } = log;
    gateway.emit({
      on: 'answered',
      id: request.id,
      address,
      action,
      resource,
      caller,
      cache: source,
      status: reply.status,
      milliseconds: performance.now() - began,
      waited: spent.waited,
      queried: spent.queried,
      cause,
    });
  };
  const { origins } = gateway.settings.cors;
  const headers = withCors(reply.headers, header(request, 'origin'), origins, request.method === 'OPTIONS');
  const { body } = reply;
  if (isStream(body) && request.method !== 'HEAD') {
    return { ...reply, headers, body: { ...body, pieces: watched(body.pieces, ended) } };
  }
  ended(cause);
  return headers === reply.headers ? reply : { ...reply, headers };
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
