/** Converts between what people type into a field and its draft's text, which is written as in the API. */
import type { Column } from '../ask/columns.ts';
import { type Json, textOf } from '../ask/json.ts';
import { shownNumber } from '../parts/format.ts';
import { typedNumber, whyNoNumber } from '../parts/typed-number.ts';
import { timeToType, typedTime } from '../parts/typed-time.ts';
import { type Draft, valueFrom } from './draft.ts';
import { words } from './texts/index.ts';

/** The text for a column's input. */
export function textToType(text: string, { kind }: Column, isGrouped: boolean): string {
  if (kind === 'number') return shownNumber(text, isGrouped);
  return kind === 'time' ? timeToType(text) : text;
}

/** Reads an input's text, which is not empty. */
export function draftFromTyped(typed: string, { kind }: Column): Extract<Draft, { is: 'text' | 'unreadable' }> {
  if (kind === 'time') return { is: 'text', text: typedTime(typed) };
  if (kind !== 'number') return { is: 'text', text: typed };
  const number = typedNumber(typed);
  if (number.is === 'number') return { is: 'text', text: textOf(number.value) ?? typed };
  return { is: 'unreadable', typed, why: whyNoNumber(number) };
}

/**
 * Reads an import's cell like an input's text. Anything that is not a number stays text, because the gateway also takes other spellings, such
 * as `.5`.
 * @param isPlain whether numbers are written as the API writes them
 * @returns the value, or a sentence about what is wrong
 */
export function cellValue(
  text: string,
  column: Column,
  isPlain: boolean,
): { readonly value: Json } | { readonly why: string } {
  const isRead =
    column.kind === 'time' || (column.kind === 'number' && !isPlain && typedNumber(text).is !== 'no number');
  const draft = isRead ? draftFromTyped(text, column) : ({ is: 'text', text } as const);
  if (draft.is === 'unreadable') return { why: draft.why };
  const value = valueFrom(draft.text, column);
  return value === undefined ? { why: words.notJson } : { value };
}
