/** What the actions that write share of a dry run. */
import { invalid } from '../../model/errors.ts';
import type { Table } from '../../model/table.ts';
import type { Parameter } from '../action.ts';

export const dryRunParameter: Parameter = {
  name: 'dry_run',
  type: 'flag',
  default: false,
  help: 'Whether to do everything, answer as if it were done, and undo it. Needs the right to read: it tells which records exist.',
};

/** Throws a 409 for a table on which nothing can be undone. */
export function refuseDryRun({ transactional }: Table): void {
  if (transactional) return;
  throw invalid({ dry_run: ['must be false: this table has no transactions, so nothing could be undone'] });
}
