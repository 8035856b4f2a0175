/** A call of datastore_search_sql: finds the resources that its SELECT names, checks the caller's rights on each, and answers it as a read. */
import type { CallParameters } from '../accept/parameters.ts';
import { permit, permitSql } from '../accept/permit.ts';
import type { ParsedCall, SelectAction } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import { denied, invalid, malformed, Refusal } from '../model/errors.ts';
import { RowFilter } from '../model/row-filter.ts';
import { SqlFault } from '../model/select.ts';
import { readsClock, tablesOf } from '../model/select-tables.ts';
import { joined } from '../tables/joined.ts';
import type { Resolved } from '../tables/served.ts';
import { isList } from '../values/json.ts';
import { positionOf } from '../values/sql-position.ts';
import { truncate } from '../values/truncate.ts';
import { withRights } from './ask-upstream.ts';
import type { ActionCall } from './call.ts';
import type { CallAnswer } from './finish.ts';
import { present, resolve, rowsFor } from './plan.ts';
import { search } from './search.ts';

/** Whether any resource allows SQL. If not, its parser is never loaded. */
export const takesSql = ({ resources }: Gateway): boolean => resources.some(({ access }) => access.sql);

/** Answers a SELECT. Throws a `Refusal` for SQL that is not supported, an unknown resource or a missing right. */
export async function answerSelect(
  sent: ActionCall,
  action: SelectAction,
  received: CallParameters,
): Promise<CallAnswer> {
  const sql = action.parse(received.params);
  if (!takesSql(sent.gateway)) {
    // Without an upstream, the action is unknown, as in CKAN where SQL is switched off.
    if (sent.gateway.settings.upstream === null) throw malformed(`Action name not known: ${action.name}`);
    throw denied('no resource of the gateway takes SQL (access.sql)');
  }
  const { selects, settings } = sent.gateway;
  const select = await selects.parse(sql, settings.limits.sqlLength).catch((error: unknown) => refuse(error, sql));
  const run = async (given: ActionCall): Promise<CallAnswer> => {
    const { gateway } = given;
    const named = new Map(tablesOf(select).map((name) => [name, resourceOf(gateway, name)] as const));
    const [first, ...others] = new Set(named.values());
    if (first === undefined) throw new TypeError('a SELECT has a table');
    const resources = [first, ...others] as const;
    given.log.resource = first.id;
    const call = await withRights(given, resources, ['read']);
    const rows = new Map(resources.map((one) => [one.id, rowsOf(call, one)] as const));
    mustBeOfOne(resources);
    const tables = new Map([...named].map(([name, one]) => [name, present(one).table] as const));
    const parsed: ParsedCall = {
      resource: first.id,
      revealsRecords: false,
      plan: () => planned(() => action.plan(select, tables, gateway.bounds), sql),
      result: (_, outcome) => action.result(sql, outcome, gateway.bounds),
    };
    const resource = joined(resources);
    return search({
      ...{ call, action, parsed, received, view: null },
      resource: readsClock(select) ? { ...resource, cacheTtl: 0 } : resource,
      others,
      rows: others.length === 0 ? (rows.get(first.id) ?? RowFilter.all) : RowFilter.joined(rows),
    });
  };
  try {
    return await run(sent).catch(async (error: unknown) =>
      run({ ...sent, gateway: await newerOfAny(sent.gateway, error, tablesOf(select)) }),
    );
  } catch (error) {
    throw ofQuery(error);
  }
}

/** The gateway with a newer catalogue. Throws the error if it is not about a table, or if none of the tables has changed. */
async function newerOfAny(gateway: Gateway, error: unknown, names: readonly string[]): Promise<Gateway> {
  const stale = error instanceof Refusal ? error.stale : null;
  // The error names the first resource, but a column of any other may have changed.
  if (stale === null) throw error;
  for (const name of names) {
    const newer = await gateway.reread(name, stale.why);
    if (newer !== null) return newer;
  }
  throw error;
}

/** The same error, except that what a refusal says about a search's parameters goes under `query`, the only parameter here. */
function ofQuery(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.kind !== 'invalid') return error;
  const { sql, query, position, ...others } = error.details;
  const texts = Object.values(others).flatMap((one) => (isList(one) ? one : []));
  return texts.length === 0 ? error : invalid({ query: texts }, error.cause);
}

function resourceOf(gateway: Gateway, name: string): Resolved {
  if (gateway.settings.upstream === null || gateway.byName.has(name)) return resolve(gateway, name, unknown);
  throw invalid({
    sql: [`"${truncate(name)}" is no resource of the gateway, but another table is: they cannot be joined`],
  });
}

const unknown = (name: string): string => `Resource "${truncate(name)}" was not found.`;

/** The rows that the sender may see. Throws 403. */
function rowsOf({ sender }: ActionCall, resource: Resolved): RowFilter {
  const granted = permit(sender, resource, 'read');
  permitSql(resource);
  return rowsFor(granted, resource, 'read');
}

function mustBeOfOne([first, ...others]: readonly [Resolved, ...Resolved[]]): void {
  const other = others.find(({ settings }) => settings.database !== first.settings.database);
  if (other !== undefined)
    throw invalid({ sql: [`"${first.id}" and "${other.id}" are of different databases: they cannot be joined`] });
}

function planned<T>(plan: () => T, sql: string): T {
  try {
    return plan();
  } catch (error) {
    return refuse(error, sql);
  }
}

/** Throws the 409 for a fault in the text of a client, with the position of its character, from 1. */
function refuse(error: unknown, sql: string): never {
  if (!(error instanceof SqlFault)) throw error;
  if (error.at === null) throw invalid({ query: [error.message] });
  const position = positionOf(sql, error.at);
  throw invalid({ query: [`${error.message} (character ${position})`], position });
}
