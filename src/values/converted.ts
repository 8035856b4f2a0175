import type { BoundValue } from '../model/value.ts';

/** The result of converting a JSON value to a column's type. */
export type Converted =
  | { readonly is: 'value'; readonly value: BoundValue }
  /** A value of the right kind, but outside the type's range: a filter finds nothing, a record is refused. */
  | { readonly is: 'beyond'; readonly text: string }
  /** Not a value of the right kind, such as `abc` for a number: refused in filters and records. */
  | { readonly is: 'wrong'; readonly text: string };

export const value = (bound: BoundValue): Converted => ({ is: 'value', value: bound });
export const beyond = (text: string): Converted => ({ is: 'beyond', text });
