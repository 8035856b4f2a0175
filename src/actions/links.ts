import type { Json, JsonObject } from '../model/value.ts';
import { toJson } from '../values/json.ts';

/**
 * `_links` as in CKAN until 2.11: the URLs of the first, the previous and the next page of this search, with all its parameters,
 * even those of a POST.
 * @param address the path of the action, without scheme and host
 */
export function links(address: string, given: JsonObject, offset: number, limit: number): JsonObject {
  const { offset: _, ...others } = given;
  const at = (from: number | null) => {
    const members = Object.entries(from === null ? others : { ...others, offset: from });
    return `${address}?${new URLSearchParams(members.flatMap(([name, value]) => texts(value).map((text): [string, string] => [name, text])))}`;
  };
  const previous = offset - limit > 0 ? { prev: at(offset - limit) } : {};
  return { start: at(null), ...previous, next: at(offset + limit) };
}

/** A value in a query string: a list of strings becomes a repeated parameter, and any other value except a string becomes JSON. */
function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list.length > 0 && list.every((item) => typeof item === 'string') ? list : [toJson(value)];
}
