/** An action without a database: from parameters to a plan, and from what it gave to a result. */
import type { Outcome, TableAction } from '../../src/actions/action.ts';
import type { Plan } from '../../src/plan.ts';
import type { Table } from '../../src/table.ts';
import type { Json } from '../../src/value.ts';
import { bounds, films, resource } from './table.ts';

export const start = (action: TableAction, params: Record<string, Json>) => action.start(params, bounds);
export const plan = (
  action: TableAction,
  params: Record<string, Json>,
  table: Table = films,
  deleteAll = false,
): Plan => start(action, { resource_id: table.resource, ...params }).plan(resource(table, deleteAll), null);
const nothing: Outcome = { rows: null, total: null };
export const members = (action: TableAction, params: Record<string, Json>, outcome = nothing, table: Table = films) =>
  start(action, { resource_id: table.resource, ...params }).result(table, outcome).members;
