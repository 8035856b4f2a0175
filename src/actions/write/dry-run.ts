/** The parameter `dry_run`, which all actions that write share. */
import { invalid } from '../../model/errors.ts';
import type { Table } from '../../model/table.ts';
import type { Parameter } from '../action.ts';

export const dryRunParameter: Parameter = {
  name: 'dry_run',
  type: 'flag',
  default: false,
  help: 'Whether to do everything, answer as if it were done, and undo it. Needs the right to read: it tells which records exist.',
};

/** Throws a 409 for a table without transactions, where a dry run could not be rolled back. */
export function refuseDryRun({ transactional }: Table): void {
  if (transactional) return;
  throw invalid({ dry_run: ['must be false: this table has no transactions, so nothing could be undone'] });
}
