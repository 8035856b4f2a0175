/** The records that a foreign key can refer to, as choices in a form. */
import { call } from '../ask/call.ts';
import { type Condition, escapedPattern, filtersOf } from '../ask/conditions.ts';
import { list, numberOf, object, textOf } from '../ask/json.ts';
import { otherTable } from '../ask/other-table.ts';
import type { Reference } from '../ask/table.ts';

export interface Option {
  /** The stored value, as text. */
  readonly code: string;
  /** The record's label; null if its table has none. */
  readonly label: string | null;
}

/** The user finds further choices by typing. */
const maxOptions = 20;

/**
 * Reads choices from the referenced table.
 * @param by `typed`: records whose label contains the text, or whose code begins with it; all if it is empty. `code`: the record with that
 * code
 */
export async function readOptions(
  { resource, to: [key = ''] }: Reference,
  by: { readonly is: 'typed' | 'code'; readonly text: string },
  signal: AbortSignal,
): Promise<readonly Option[]> {
  const { label, columns } = await otherTable(resource);
  const kindOf = (name: string) => columns.find((one) => one.name === name)?.kind;
  const isNumber = kindOf(key) === 'number';
  const code = isNumber ? numberOf(by.text) : by.text;
  const conditions: readonly Condition[] = [
    ...(by.is === 'typed' && label !== null && kindOf(label) === 'text' ? [contains(label, by.text)] : []),
    ...(by.is === 'typed' && kindOf(key) === 'text'
      ? [{ field: key, op: 'ilike', value: `${escapedPattern(by.text)}%` } as const]
      : code === null
        ? []
        : [{ field: key, op: 'eq', value: code } as const]),
  ];
  if (by.text !== '' && conditions.length === 0) return [];
  const filters = by.text === '' ? {} : { $or: conditions.map((one) => filtersOf([one])) };
  const fields = label === null ? [key] : [...new Set([key, label])];
  const request = { resource_id: resource, filters, fields, sort: [label ?? key], limit: maxOptions };
  const { result } = await call('datastore_search', { ...request, include_total: false }, { signal });
  return list(result.records).map((record) => {
    const { [key]: code = null, [label ?? '']: name = null } = object(record);
    return { code: textOf(code) ?? '', label: label === key ? null : textOf(name) };
  });
}

const contains = (field: string, text: string): Condition => ({
  field,
  op: 'ilike',
  value: `%${escapedPattern(text)}%`,
});
