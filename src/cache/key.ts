import type { JsonObject } from '../model/value.ts';

/** Everything an answer depends on but the data, whose counts come before it, and but for who asks: rights are looked at before. */
export interface Asked {
  /** Of settings and catalogues together: another number for any other state of them. */
  readonly version: number;
  readonly resource: string;
  readonly action: string;
  readonly language: string | null;
  /** The parameters as they came. */
  readonly params: JsonObject;
}

/**
 * Pure. The name of a question. Parameters in another order are the same question.
 * @param toJson must write every digit
 */
export function keyOf(asked: Asked, toJson: (value: JsonObject) => string): string {
  const { version, resource, action, language, params } = asked;
  const sorted = Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return toJson({ version, resource, action, language, params: sorted });
}
