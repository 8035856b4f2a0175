/** Calls an action without a database: parameters → plan, and rows → result. */
import type { Limits, Outcome, TableAction } from '../../../src/actions/action.ts';
import type { Plan } from '../../../src/model/any-plan.ts';
import type { Table } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { planOf } from '../../support/drained.ts';
import { bounds, films, reads, resource } from '../../support/table.ts';

export const start = (action: TableAction, params: Record<string, Json>) => action.start(params, bounds);
export const plan = (
  action: TableAction,
  params: Record<string, Json>,
  table: Table = films,
  deleteAll = false,
  limits: Partial<Limits> = {},
): Plan => {
  const started = action.start({ resource_id: table.resource, ...params }, { ...bounds, ...limits });
  return planOf(started.plan(resource(table, deleteAll), null));
};
const access = { write: 'token', columns: 'all' } as const;
const view = { may: reads, access, references: [], referencedBy: [], extremes: null, isPrivate: false };
const noRows: Outcome = { rows: null, total: null };
export const members = (action: TableAction, params: Record<string, Json>, outcome = noRows, table: Table = films) =>
  start(action, { resource_id: table.resource, ...params }).result(table, outcome, view).members;
