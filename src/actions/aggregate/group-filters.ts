import type { JsonObject } from '../../model/value.ts';
import { isList } from '../../values/json.ts';
import type { Filters } from '../query/filters.ts';

/** Filters for the records of one group: the call's own filters, combined with the group's condition. */
export function groupFilters(filters: Filters, label: string, condition: JsonObject[string]): JsonObject {
  // In filters, a field called `$or` is written `$$or`.
  const name = label.replace(/^\$/, '$$$$');
  if (isList(filters)) return filters.length === 0 ? { [name]: condition } : { $or: filters, [name]: condition };
  if (!Object.hasOwn(filters, name)) return { ...filters, [name]: condition };
  return { $and: [filters, { [name]: condition }] };
}
