import type { JsonObject } from '../ask/json.ts';

/** What the generated program should do: print a search's records or another call's result, or save a CSV file. URLs are absolute. */
export type Target = { readonly hasToken: boolean; readonly url: string } & (
  | { readonly kind: 'records' | 'result'; readonly params: JsonObject }
  | { readonly kind: 'file' }
);

/** Generates a program. It reads the token from the environment variable TOKEN, so the code never contains one. */
export type Program = (wanted: Target) => string;

export const indented = (params: JsonObject): string => JSON.stringify(params, null, 2);
