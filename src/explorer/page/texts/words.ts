/** The texts that every language must have: the English ones, with the same parameters. */
import type { en } from './en/index.ts';

export type Texts = Words<typeof en>;
type Words<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [name in keyof T]: Words<T[name]> };
