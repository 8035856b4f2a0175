/** Pure. Finds a caller's claim by its path. */
import type { Json, JsonObject } from '../model/value.ts';
import { isObject } from './json.ts';

/** Looks a claim up among own members only: `toString` is not a claim. */
export function claimAt(claims: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = claims;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}
