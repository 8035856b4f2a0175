import { invalid } from '../errors.ts';
import type { Column, Table } from '../plan.ts';
import type { Bounds } from './action.ts';
import { column } from './columns.ts';
import type { Params } from './params.ts';

/** `offset`, within `maxOffset`. */
export function readOffset(params: Params, bounds: Bounds): number {
  const raw = params.raw('offset');
  if (typeof raw === 'string' && /^\s*-\d+\s*$/.test(raw)) params.complain('offset', `invalid value "${raw.trim()}"`);
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

/** More than a table has; above some 1600, columns chosen twice among them, servers refuse a statement. */
const maxFields = 1600;

/** `fields` → columns, in their order. Throws a 409 that quotes the first unknown name. */
export function select(names: readonly string[], table: Table): readonly Column[] {
  if (names.length > maxFields) throw invalid({ fields: [`must be at most ${maxFields} names, got: ${names.length}`] });
  return names.map((name) => {
    const found = column(table, name);
    if (found === undefined) throw invalid({ fields: [`invalid value "${name.trim()}"`] });
    return found;
  });
}
