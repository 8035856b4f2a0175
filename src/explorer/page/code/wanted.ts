import type { JsonObject } from '../ask/json.ts';

/** What a program is to ask for: a page of a search, or the whole as a csv file. Absolute URLs. */
export type Wanted = { readonly hasToken: boolean } & (
  | { readonly kind: 'page'; readonly url: string; readonly params: JsonObject }
  | { readonly kind: 'file'; readonly url: string }
);

/** Writes a program. The token is never a part of it: it is the variable TOKEN. */
export type Program = (wanted: Wanted) => string;

/** Indented JSON. */
export const indented = (params: JsonObject): string => JSON.stringify(params, null, 2);
