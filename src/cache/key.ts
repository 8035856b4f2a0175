import type { JsonObject } from '../model/value.ts';

/** Everything an answer depends on except the data and the caller. The counts follow in the key; rights are checked before. */
export interface Asked {
  /** The version of settings and catalogues together; changes with either. */
  readonly version: number;
  readonly resource: string;
  readonly action: string;
  readonly language: string | null;
  /** The parameters as received. */
  readonly params: JsonObject;
}

/**
 * Pure. The key of a request: JSON with sorted parameters, so that their order does not matter.
 * @param toJson must write every digit
 */
export function keyOf(asked: Asked, toJson: (value: JsonObject) => string): string {
  const { version, resource, action, language, params } = asked;
  const sorted = Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return toJson({ version, resource, action, language, params: sorted });
}
