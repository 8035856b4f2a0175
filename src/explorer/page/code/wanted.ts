import type { JsonObject } from '../ask/json.ts';

/** What the generated program should fetch: a page of a search, or everything as a CSV file. URLs are absolute. */
export type Target = { readonly hasToken: boolean } & (
  | { readonly kind: 'page'; readonly url: string; readonly params: JsonObject }
  | { readonly kind: 'file'; readonly url: string }
);

/** Generates a program. It reads the token from the environment variable TOKEN, so the code never contains one. */
export type Program = (wanted: Target) => string;

export const indented = (params: JsonObject): string => JSON.stringify(params, null, 2);
