import type { Json, JsonObject } from '../model/value.ts';
import { toJson } from '../values/json.ts';

/**
 * `_links` as CKAN gave them until 2.11: where this search begins, and the pages before and after. They hold all parameters,
 * also those of a POST.
 * @param address of the action, without the site's own
 */
export function links(address: string, given: JsonObject, offset: number, limit: number): JsonObject {
  const { offset: _, ...others } = given;
  const at = (from: number | null) => {
    const named = Object.entries(from === null ? others : { ...others, offset: from });
    return `${address}?${new URLSearchParams(named.flatMap(([name, value]) => texts(value).map((text): [string, string] => [name, text])))}`;
  };
  const before = offset - limit > 0 ? { prev: at(offset - limit) } : {};
  return { start: at(null), ...before, next: at(offset + limit) };
}

/** A list of texts is sent as a repeated parameter, what else is no text as JSON. */
function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list.length > 0 && list.every((item) => typeof item === 'string') ? list : [toJson(value)];
}
