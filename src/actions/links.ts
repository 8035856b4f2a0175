import type { Json, JsonObject } from '../model/value.ts';
import { toJson } from '../values/json.ts';

/**
 * `_links` as in CKAN until 2.11: the first page of this search, the previous and the next one. They contain all parameters,
 * even those of a POST.
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

/** A list of texts becomes a repeated parameter, any other value that is no text becomes JSON. */
function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list.length > 0 && list.every((item) => typeof item === 'string') ? list : [toJson(value)];
}
