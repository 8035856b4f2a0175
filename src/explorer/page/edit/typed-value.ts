/** Converts between what people type into a field and the text of its draft, which is the API's. */
import type { Column } from '../ask/columns.ts';
import { textOf } from '../ask/json.ts';
import { shownNumber } from '../parts/format.ts';
import { typedNumber } from '../parts/typed-number.ts';
import { timeToType, typedTime } from '../parts/typed-time.ts';
import { say } from '../texts/index.ts';
import type { Draft } from './draft.ts';

/** The text for the input of a column. */
export function textToType(text: string, { kind }: Column, isGrouped: boolean): string {
  if (kind === 'number') return shownNumber(text, isGrouped);
  return kind === 'time' ? timeToType(text) : text;
}

/** Reads the text of an input that is not empty. */
export function draftFromTyped(typed: string, { kind }: Column): Draft {
  if (kind === 'time') return { is: 'text', text: typedTime(typed) };
  if (kind !== 'number') return { is: 'text', text: typed };
  const number = typedNumber(typed);
  if (number.is === 'number') return { is: 'text', text: textOf(number.value) ?? typed };
  const why = number.is === 'ambiguous' ? say.ambiguousNumber(...number.readings) : say.notANumber;
  return { is: 'unreadable', typed, why };
}
