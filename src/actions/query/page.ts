import { invalid } from '../../model/errors.ts';
import type { Rank, Shown } from '../../model/plan.ts';
import type { Table } from '../../model/table.ts';
import { show } from '../../values/show.ts';
import { truncate } from '../../values/truncate.ts';
import type { Bounds } from '../action.ts';
import type { Params } from '../params.ts';
import { column, unquote } from './columns.ts';
import { hint } from './hint.ts';

/** Reads `offset`, and complains if it is negative or above `limits.maxOffset`. */
export function readOffset(params: Params, bounds: Bounds): number {
  const raw = params.raw('offset');
  if (typeof raw === 'string' && /^\s*-\d+\s*$/.test(raw))
    params.complain('offset', `invalid value "${truncate(raw.trim())}"`);
  else if (typeof raw === 'number' && raw < 0) params.complain('offset', `invalid value "${raw}"`);
  else {
    const offset = params.natural('offset', 0);
    if (bounds.maxOffset === null || offset <= bounds.maxOffset) return offset;
    params.complain(
      'offset',
      `must be at most ${bounds.maxOffset}, got: ${offset}; narrow the search with filters instead`,
    );
  }
  return 0;
}

/** Reads `after`, which replaces `offset`; null if absent. */
export function readAfter(params: Params): string | null {
  const raw = params.raw('after');
  if (raw === undefined || raw === '') return null;
  if (typeof raw !== 'string') params.complain('after', `must be the text of a next_page, got: ${show(raw)}`);
  const offset = params.raw('offset');
  if (offset !== undefined && offset !== 0 && offset !== '0' && offset !== '')
    params.complain('offset', `must be absent beside after, got: ${show(offset)}`);
  return typeof raw === 'string' ? raw : null;
}

/** `fields` → columns and ranks, in the order of the call. Throws a 409 that quotes the first unknown name. */
export function select(names: readonly string[], table: Table, ranks: readonly Rank[]): readonly Shown[] {
  return names.map((name) => {
    const rank = (label: string) => ranks.find((one) => one.label === label);
    const found = column(table, name) ?? rank(name) ?? rank(unquote(name));
    if (found !== undefined) return found;
    const meant = hint(name, table) || (/\s/.test(name.trim()) ? ', must be one field: commas separate several' : '');
    throw invalid({ fields: [`invalid value "${truncate(name.trim())}"${meant}`] });
  });
}
