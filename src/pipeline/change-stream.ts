/** A stream of change notices: permissions, and the subscription. */
import { parameters } from '../accept/parameters.ts';
import { permit } from '../accept/permit.ts';
import type { Route } from '../accept/route.ts';
import type { StreamAction } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import { malformed, Refusal } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import { eventStreamHeaders } from '../reply/event-stream.ts';
import type { Resolved, Served } from '../tables/served.ts';
import { type Call, clientName, senderOf } from './begin.ts';
import { header } from './classify.ts';
import { type CallAnswer, failed, logOf, uncached } from './report.ts';
import { present, resolve, upToDate } from './resource.ts';

type ActionCall = Call<Extract<Route, { to: 'action' }>>;
type Resources = ReadonlyMap<string, Resolved>;

const noBody = Buffer.alloc(0);

/** Answers with events until the client leaves, or may not read one of the resources any more. */
export async function answerChanges(call: ActionCall, action: StreamAction): Promise<CallAnswer> {
  const { gateway, route } = call;
  // A body is not read: it would be held as long as the stream.
  const sent = { method: 'GET', sideEffectFree: true, query: route.query, contentType: undefined, body: noBody };
  const { params, anonymous } = await parameters({ ...sent, limits: gateway.settings.limits });
  if (anonymous) throw malformed('a stream of events takes no callback');
  const names = action.parse(params);
  const [first] = names.map((name) => resolve(gateway, name, action.unknown));
  if (first === undefined) throw malformed('no resource');
  const log = logOf(call, names.length === 1 ? first.id : null);
  const find = (now: Served) => readable(call, action, now, names);
  const stream = upToDate(
    gateway,
    first,
    (now) => resolve(now, first.id, action.unknown),
    async (now) => {
      const resources = find(now);
      for (const resource of resources.values()) present(resource);
      return subscribe(call, now, resources, find);
    },
  );
  return stream.then(
    (reply) => uncached(reply, log),
    (error: unknown) => failed(error, call, log),
  );
}

/** The resources as this gateway has them. Throws 404 or 403 for the first that the sender may not read. */
function readable({ request }: Call, { unknown }: StreamAction, now: Served, names: readonly string[]): Resources {
  const sender = senderOf(now, request);
  const all = new Map<string, Resolved>();
  for (const name of names) {
    const resource = resolve(now, name, unknown);
    permit(sender, resource, 'read');
    all.set(name, resource);
  }
  return all;
}

function subscribe(call: ActionCall, gateway: Gateway, resources: Resources, find: (now: Served) => Resources): Reply {
  const { request } = call;
  const end = new AbortController();
  const reply = (pieces: AsyncIterable<string>, isEndless: boolean): Reply => ({
    status: 200,
    headers: eventStreamHeaders,
    body: { pieces, broken: end.signal, isEndless },
  });
  if (request.method === 'HEAD') return reply(none(), false);
  const pieces = gateway.subscribe(resources, {
    client: clientName(call),
    readable: (now) => stillReadable(() => find(now)),
    lastEventId: header(request, 'last-event-id'),
    gone: request.gone(),
  });
  return reply(pieces, true);
}

/** Null where a call would be refused, other than because the database is away. */
function stillReadable(find: () => Resources): Resources | null {
  try {
    const resources = find();
    const isServed = [...resources.values()].every(({ table }) => typeof table === 'object' || table === 'unreachable');
    return isServed ? resources : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function* none(): AsyncGenerator<string, void> {}
