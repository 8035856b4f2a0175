/** A stream of change notices, from top to bottom: resources → permission → subscription → events until the client leaves. */
import { parameters } from '../accept/parameters.ts';
import { callerIn, permit } from '../accept/permit.ts';
import type { StreamAction } from '../actions/action.ts';
import { malformed, Refusal } from '../model/errors.ts';
import type { Reply } from '../model/http.ts';
import type { Permitted } from '../notices/subscriber.ts';
import { eventStreamHeaders } from '../reply/event-stream.ts';
import type { Served } from '../tables/served.ts';
import { withRights } from './ask-upstream.ts';
import { type ActionCall, certain, clientName, identified } from './call.ts';
import { header } from './classify.ts';
import { type CallAnswer, uncached } from './finish.ts';
import { newerGateway, present, resolve } from './plan.ts';

const noBody = Buffer.alloc(0);

/** Answers with events until the client disconnects, its login ends, or it loses the right to read one of the resources. */
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
    return uncached(await subscribe(call, action, names));
  } catch (error) {
    return uncached(await subscribe({ ...call, gateway: await newerGateway(gateway, error) }, action, names));
  }
}

async function subscribe(call: ActionCall, action: StreamAction, names: readonly string[]): Promise<Reply> {
  const { gateway, request, signal } = call;
  const permitted = await permittedIn(gateway, call, action, names);
  for (const resource of permitted.resources.values()) present(resource);
  const isHead = request.method === 'HEAD';
  const pieces = isHead
    ? none()
    : gateway.subscribe(permitted, {
        client: clientName(call),
        permitted: (served) => stillPermitted(served, call, action, names),
        lastEventId: header(request, 'last-event-id'),
        disconnected: signal,
      });
  const body = { pieces, broken: new AbortController().signal, isEndless: !isHead };
  return { status: 200, headers: eventStreamHeaders(gateway.vary), body };
}

/**
 * The resources with these names. Throws 404 or 403 for the first one that does not exist or the sender may not read, and 503 if nobody
 * can say now who the sender is.
 */
async function permittedIn(
  served: Served,
  { request, log }: ActionCall,
  { unknown }: StreamAction,
  names: readonly string[],
): Promise<Permitted> {
  const resources = new Map(names.map((name) => [name, resolve(served, name, unknown)]));
  const identity = await certain(served, identified(served, request));
  const { sender } = await withRights({ ...identity, log, gateway: served }, [...resources.values()], ['read']);
  for (const resource of resources.values()) permit(sender, resource, 'read');
  return { resources, until: () => callerIn(sender)?.until ?? Number.POSITIVE_INFINITY };
}

/** Checks the permissions again later; null if the stream must end. An unreachable database does not end it. */
async function stillPermitted(served: Served, call: ActionCall, action: StreamAction, names: readonly string[]) {
  try {
    const permitted = await permittedIn(served, call, action, names);
    const tables = [...permitted.resources.values()].map(({ table }) => table);
    return tables.every((table) => typeof table === 'object' || table === 'unreachable') ? permitted : null;
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'unavailable') return null;
    throw error;
  }
}

async function* none(): AsyncGenerator<string, void> {}
