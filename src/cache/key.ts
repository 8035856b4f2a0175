import type { May } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';

/** Everything an answer depends on except the data. The counts follow in the key; permissions are checked before. */
export interface CacheQuestion {
  /** The version of settings and catalogues together; changes with either. */
  readonly version: number;
  readonly resource: string;
  readonly action: string;
  readonly language: string | null;
  /** The caller's permissions, where the answer depends on them. */
  readonly may: May | null;
  /** The parameters as received. */
  readonly params: JsonObject;
}

/**
 * Pure. The key of a request: JSON with sorted parameters, so that their order does not matter.
 * @param toJson must write every digit
 */
export function keyOf(asked: CacheQuestion, toJson: (value: JsonObject) => string): string {
  const { params, may, ...others } = asked;
  const sorted = Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return toJson({ may: may && { ...may }, params: sorted, ...others });
}
