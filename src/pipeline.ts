/** The way of a call, from bytes to bytes. Read this file first: each step hands the next one a value with a name. */
import { identify, presentedToken } from './accept/caller.ts';
import { withoutCall } from './accept/method.ts';
import { parameters } from './accept/parameters.ts';
import { permit } from './accept/permit.ts';
import { route } from './accept/route.ts';
import type { IncomingRequest } from './accept/server.ts';
import type { AnyAction, Outcome } from './actions/action.ts';
import { field } from './actions/columns.ts';
import * as actions from './actions/index.ts';
import { convert, identity } from './actions/values.ts';
import { internal, invalid, malformed, notFound, Refusal, refusal, unavailable } from './errors.ts';
import { read } from './execute/read.ts';
import { Busy, Overdue, TooLarge } from './execute/session.ts';
import { remove, UnknownOutcome, type Writer, write } from './execute/write.ts';
import type { Caller, Cell, Column, Plan, Reply, Resource, Table } from './plan.ts';
import { corsHeaders } from './reply/cors.ts';
import { failure, success } from './reply/envelope.ts';
import type { Connected, Gateway } from './setup/gateway.ts';

/** Answers one request; whatever goes wrong on the way is an answer, too. */
export async function answer(gateway: Gateway, request: IncomingRequest): Promise<Reply> {
  const started = performance.now();
  const told: { resource: string | null; caller: string | null } = { resource: null, caller: null };
  const to = route(request.target, gateway.settings.server);
  const help = `${gateway.settings.server.siteUrl}${gateway.settings.server.basePath}`;
  const reply = await reach(gateway, request, to, help, told).catch((error: unknown) =>
    refuse(error, helpOf(help, to)),
  );
  const cors = corsHeaders(header(request, 'origin'), gateway.settings.cors.origins);
  if (to.to === 'action') {
    gateway.emit({
      on: 'answered',
      action: to.name in actions ? to.name : '',
      ...told,
      status: reply.status,
      milliseconds: Math.round(performance.now() - started),
      cause: reply.cause,
    });
  }
  return { ...reply, headers: { ...cors, ...reply.headers } };
}

type Told = { resource: string | null; caller: string | null };
type Caused = Reply & { readonly cause?: unknown };

async function reach(
  gateway: Gateway,
  request: IncomingRequest,
  to: ReturnType<typeof route>,
  site: string,
  told: Told,
): Promise<Caused> {
  if (to.to === 'nothing') throw notFound('no such page');
  if (to.to === 'version') return { status: 200, headers: {}, body: JSON.stringify({ version: to.version }) };
  const other = withoutCall(request.method);
  if (other !== null) return other;

  const action = actionNamed(to.name);
  const { params, anonymous } = await parameters({
    method: request.method === 'HEAD' ? 'GET' : request.method,
    sideEffectFree: action.sideEffectFree,
    query: to.query,
    contentType: header(request, 'content-type'),
    body: await request.body(),
    maxDepth: gateway.settings.limits.depth,
  });
  const asked = action.start(params, { ...gateway.settings.limits });
  const caller = anonymous ? null : callerOf(gateway, request);
  told.caller = caller?.name ?? null;
  const resource = resourceNamed(gateway, asked.resource ?? '');
  told.resource = resource.id;
  permit(caller, resource, action.effect);
  const plan = asked.plan(resource, caller);
  const outcome = await execute(gateway, plan);
  const body = success(helpOf(site, to), asked.result(resource.table, outcome), gateway.settings.limits.responseBytes);
  return {
    status: 200,
    headers: { 'Cache-Control': resource.access.read === 'token' ? 'private, no-cache' : 'no-cache' },
    body,
  };
}

/** Runs a plan on its database; a driver's error becomes an answer here. */
async function execute(gateway: Gateway, plan: Plan): Promise<Outcome> {
  const { table } = plan;
  const connected = gateway.connected.get(table.database);
  if (connected === undefined) throw unavailable('the database cannot be reached, try again');
  const { database, dialect } = connected;
  try {
    if (plan.effect === 'read') {
      const { cells, total } = await read(database, dialect, plan, gateway.settings.limits);
      return { rows: { fields: plan.columns.map(field), encoders: plan.columns.map(dialect.encoder), cells }, total };
    }
    if (plan.effect === 'write') await write(database, writer(connected), plan, gateway.random);
    else await remove(database, writer(connected), plan, gateway.random);
    return { rows: null, total: null };
  } catch (error) {
    throw translate(error, table, plan, connected);
  }
}

function writer({ dialect, maxStatementBytes }: Connected): Writer {
  return {
    ...dialect,
    maxStatementBytes: maxStatementBytes / 2,
    identity: (column, stored) =>
      stored === null ? '' : identityOfCell(column, stored, dialect.encoder(column).plain(stored)),
    identityOf: (column, value) => identity(value, column.type),
    refuse: (blame, table, row, cause) =>
      blame.kind === 'unknown' || blame.kind === 'connection' ? null : refusal(blame, table, row, cause),
  };
}

/** A stored key in the spelling that conversion gives to the same value when a client sends it. */
function identityOfCell(column: Column, stored: Cell, shown: string | null): string {
  const converted = convert(shown ?? String(stored), column.type);
  return converted.is === 'value' ? identity(converted.value, column.type) : (shown ?? '');
}

function translate(error: unknown, table: Table, plan: Plan, { dialect }: Connected): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof TooLarge)
    return invalid({ limit: ['the answer is too large: ask for a smaller `limit` or fewer `fields`'] }, error);
  if (error instanceof Overdue) return refusal({ kind: 'timeout' }, table, plan.effect === 'read' ? null : 0, error);
  if (error instanceof Busy) return refusal({ kind: 'busy' }, table, null, error);
  if (error instanceof UnknownOutcome)
    return new Refusal(
      'unknownOutcome',
      { message: 'the connection was lost while committing: the records may or may not have been written' },
      error,
    );
  const blame = dialect.blame(error);
  // A value that only the engine can judge (interval, inet …) came from a filter.
  if (blame.kind === 'value' && plan.effect !== 'write')
    return invalid({ filters: ['a value is no valid input for the type of its field'] }, error);
  return refusal(blame, table, null, error);
}

function actionNamed(name: string): AnyAction {
  // A module namespace has no prototype, so `constructor` is no action.
  const action: AnyAction | undefined = Object.entries(actions).find(([known]) => known === name)?.[1];
  if (action === undefined) throw malformed(`Action name not known: ${name}`);
  return action;
}

function resourceNamed(gateway: Gateway, id: string): Resource {
  const resource = gateway.resources.get(id);
  if (resource === undefined) throw notFound(`Resource "${id}" was not found.`);
  if (resource === 'unreachable') throw unavailable('the database of this resource cannot be reached, try again');
  return resource;
}

function callerOf(gateway: Gateway, request: IncomingRequest): Caller | null {
  const token = presentedToken(request.headers);
  return token === null ? null : identify(gateway.hash(token), gateway.settings.tokens);
}

/** Any error → a reply. What is not a refusal is a bug or a broken neighbour, and says nothing of itself. */
export function refuse(error: unknown, help: string): Caused {
  const refused = error instanceof Refusal ? error : internal(error);
  const headers = refused.status === 503 ? { 'Retry-After': '2' } : {};
  return {
    status: refused.status,
    headers: { ...headers, 'Cache-Control': 'no-cache' },
    body: failure(help, refused),
    cause: refused.cause,
  };
}

function helpOf(site: string, to: ReturnType<typeof route>): string {
  if (to.to !== 'action') return `${site}/api/3/action/help_show`;
  const language = to.language === null ? '' : `/${to.language}`;
  return `${site}${language}/api/3/action/help_show?name=${encodeURIComponent(to.name)}`;
}

function header(request: IncomingRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
