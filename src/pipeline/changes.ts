/** A stream of change notices, from top to bottom: resources → permission → subscription → events until the client leaves. */
import { parameters } from '../accept/parameters.ts';
import { permit } from '../accept/permit.ts';
import type { StreamAction } from '../actions/action.ts';
import { malformed, Refusal } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import { eventStreamHeaders } from '../reply/event-stream.ts';
import type { Resolved, Served } from '../tables/served.ts';
import { type ActionCall, clientName, senderOf } from './call.ts';
import { header } from './classify.ts';
import { type CallAnswer, uncached } from './finish.ts';
import { newerGateway, present, resolve } from './plan.ts';

type Resources = ReadonlyMap<string, Resolved>;

const noBody = Buffer.alloc(0);

/** Answers with events until the client disconnects, or loses the right to read one of the resources. */
export async function answerChanges(call: ActionCall, action: StreamAction): Promise<CallAnswer> {
  const { gateway, route, log } = call;
  // Don't read a body: it would stay in memory as long as the stream.
  const sent = { method: 'GET', sideEffectFree: true, query: route.query, contentType: undefined, body: noBody };
  const { params, anonymous } = await parameters({ ...sent, limits: gateway.settings.limits });
  if (anonymous) throw malformed('a stream of events takes no callback');
  const names = action.parse(params);
  const [first] = names.map((name) => resolve(gateway, name, action.unknown));
  if (first === undefined) throw malformed('no resource');
  if (names.length === 1) log.resource = first.id;
  try {
    return uncached(subscribe(call, action, names));
  } catch (error) {
    return uncached(subscribe({ ...call, gateway: await newerGateway(gateway, error) }, action, names));
  }
}

function subscribe(call: ActionCall, action: StreamAction, names: readonly string[]): Reply {
  const { gateway, request, signal } = call;
  const resources = readable(call, action, gateway, names);
  for (const resource of resources.values()) present(resource);
  const isHead = request.method === 'HEAD';
  const pieces = isHead
    ? none()
    : gateway.subscribe(resources, {
        client: clientName(call),
        readable: (served) => stillReadable(call, action, served, names),
        lastEventId: header(request, 'last-event-id'),
        disconnected: signal,
      });
  const body = { pieces, broken: new AbortController().signal, isEndless: !isHead };
  return { status: 200, headers: eventStreamHeaders, body };
}

/** The resources with these names. Throws 404 or 403 for the first one that does not exist or the sender may not read. */
function readable({ request }: ActionCall, { unknown }: StreamAction, served: Served, names: readonly string[]) {
  const sender = senderOf(served, request);
  const all = new Map<string, Resolved>();
  for (const name of names) {
    const resource = resolve(served, name, unknown);
    permit(sender, resource, 'read');
    all.set(name, resource);
  }
  return all;
}

/** The resources after a reload; null if the stream must end. An unreachable database does not end it. */
function stillReadable(call: ActionCall, action: StreamAction, served: Served, names: readonly string[]) {
  try {
    const resources: Resources = readable(call, action, served, names);
    const isServed = [...resources.values()].every(({ table }) => typeof table === 'object' || table === 'unreachable');
    return isServed ? resources : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function* none(): AsyncGenerator<string, void> {}
