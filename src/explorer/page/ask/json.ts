/** Parses and writes JSON without rounding numbers. */

/** A number that a double would change. It keeps its digits, and `JSON.stringify` writes them unchanged. */
export interface RawNumber {
  readonly rawJSON: string;
}
export type Json = null | boolean | number | string | RawNumber | JsonObject | readonly Json[];
export interface JsonObject {
  readonly [name: string]: Json;
}

declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
    parse(text: string, reviver: (key: string, value: Json, context: { readonly source?: string }) => Json): Json;
  }
}

/** Whether this browser has `JSON.rawJSON`: Chrome 114, Firefox 135, Safari 18.4 and newer. */
export const isExact = typeof JSON.rawJSON === 'function';

/** Like `JSON.parse`, but without rounding. Throws a SyntaxError. */
export function parse(text: string): Json {
  return JSON.parse(text, (_, value, { source } = {}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}

/** A text as a number with all its digits; null if it is not a JSON number. */
export function numberOf(text: string): number | RawNumber | null {
  const trimmed = text.trim().replace('−', '-');
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return null;
  return String(Number(trimmed)) === trimmed ? Number(trimmed) : JSON.rawJSON(trimmed);
}

const isRaw = (value: Json): value is RawNumber => JSON.isRawJSON(value);
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value) && !isRaw(value);

/** Whether the value contains a number that JavaScript or Python would round. */
export function hasRaw(value: Json): boolean {
  if (isList(value)) return value.some(hasRaw);
  return isObject(value) ? Object.values(value).some(hasRaw) : typeof value === 'object' && value !== null;
}

/** A value's text as the API writes it; null for NULL. */
export function textOf(value: Json): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  return isList(value) || isObject(value) ? JSON.stringify(value) : isRaw(value) ? value.rawJSON : String(value);
}

// Lenient readers for responses: a missing member, or one of another type, becomes an empty value.
export const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
export const list = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
export const texts = (value: Json | undefined): readonly string[] => list(value).map(text);
export const count = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
