import { useState } from 'preact/hooks';
import type { Json } from '../ask/json.ts';
import { type Draft, emptyDraft, isSame, withBreaksOf } from './draft.ts';
import type { Field } from './fields.ts';
import { draftFromTyped, textToType } from './typed-value.ts';

export interface TypedText {
  /** The input's text: as the user has typed it, as long as the draft still says the same. */
  readonly text: string;
  /** The number as it will be stored, if the user has typed it differently; '' otherwise. */
  readonly exact: string;
  onType(text: string): void;
}

/**
 * The text in a field's input, which may spell the draft differently, such as `1,000` for `1000`.
 * @param value the stored value; undefined in a new record
 * @param isGrouped whether the column's digits are grouped
 */
export function useTypedText(
  field: Field,
  draft: Draft,
  value: Json | undefined,
  isGrouped: boolean,
  onDraft: (draft: Draft) => void,
): TypedText {
  const { column } = field;
  /** Null until the user types. */
  const [typed, setTyped] = useState<string | null>(null);
  const shown =
    draft.is === 'text' ? textToType(draft.text, column, isGrouped) : draft.is === 'unreadable' ? draft.typed : '';
  const isTyped = typed !== null && shown !== '' && isSame(draftFromTyped(typed, column), draft);
  const isExact = column.kind === 'number' && draft.is === 'text' && typed !== null && typed !== draft.text;
  return {
    text: isTyped ? typed : shown,
    exact: isExact ? draft.text : '',
    onType(text) {
      const to = withBreaksOf(value, text);
      setTyped(to);
      onDraft(to === '' ? emptyDraft(field, value === undefined) : draftFromTyped(to, column));
    },
  };
}
