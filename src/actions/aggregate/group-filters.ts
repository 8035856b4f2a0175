import type { JsonObject } from '../../model/value.ts';
import { isList } from '../../values/json.ts';
import type { Filters } from '../query/filters.ts';

/** The filters that find the records of one group: the filters of the call, and the condition of the group. */
export function groupFilters(filters: Filters, label: string, condition: JsonObject[string]): JsonObject {
  // Filters write a field called `$or` as `$$or`.
  const name = label.replace(/^\$/, '$$$$');
  if (isList(filters)) return filters.length === 0 ? { [name]: condition } : { $or: filters, [name]: condition };
  if (!Object.hasOwn(filters, name)) return { ...filters, [name]: condition };
  return { $and: [filters, { [name]: condition }] };
}
