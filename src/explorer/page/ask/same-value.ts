import type { Column } from './columns.ts';
import type { Condition } from './conditions.ts';
import { type Json, textOf } from './json.ts';

/** Longer values would make the URL too long. */
const maxCharacters = 1000;

/** The conditions for "only this value" and "all but this value"; null if no filter can express them. */
export function sameValue(
  { name: field, kind }: Column,
  value: Json,
): { readonly only: Condition | null; readonly without: Condition | null } {
  if (value === null) return { only: { field, op: 'null', value: true }, without: { field, op: 'null', value: false } };
  if (kind === 'other' || (textOf(value) ?? '').length > maxCharacters) return { only: null, without: null };
  return { only: { field, op: 'eq', value }, without: { field, op: 'ne', value } };
}
