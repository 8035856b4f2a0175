import { useId, useRef, useState } from 'preact/hooks';
import { type Json, textOf } from '../ask/json.ts';
import type { Reference } from '../ask/table.ts';
import type { Look } from '../parts/looks.ts';
import { say } from '../texts/index.ts';
import { Choice } from './choice.tsx';
import { type Draft, draftOf, emptyDraft, isSame, withBreaksOf } from './draft.ts';
import type { Field } from './fields.ts';
import { ReferenceInput, type Typing } from './reference-input.tsx';
import { words } from './texts/index.ts';
import { draftFromTyped, textToType } from './typed-value.ts';

export interface FieldInputProps {
  readonly field: Field;
  /** Undefined if the column refers to no other table. */
  readonly reference: Reference | undefined;
  readonly draft: Draft;
  /** The stored value; undefined in a new record. */
  readonly value: Json | undefined;
  readonly look: Look;
  /** This field's error message; '' for none. */
  readonly wrong: string;
  onDraft(draft: Draft): void;
}

/** The input for one column's value. An empty field shows what it means, because NULL is not the empty text. */
export function FieldInput({ field, reference, draft, value, look, wrong: refusal, onDraft }: FieldInputProps) {
  const { column, isNullable, isWritable, choices } = field;
  const { label, notes, kind } = column;
  const unit = reference === undefined && choices === null ? column.unit : '';
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  /** What the user has typed, which may spell the draft differently; null before that. */
  const [typed, setTyped] = useState<string | null>(null);
  /** Whether the user is typing a name, to choose the record with that name. */
  const [isSearching, setSearching] = useState(false);
  const isNew = value === undefined;
  const unreadable =
    draft.is !== 'unreadable' || isSearching ? '' : reference === undefined ? draft.why : words.chooseOne;
  const wrong = unreadable || refusal;
  const shown =
    draft.is === 'text' ? textToType(draft.text, column, look.isGrouped) : draft.is === 'unreadable' ? draft.typed : '';
  const isTyped = typed !== null && shown !== '' && isSame(draftFromTyped(typed, column), draft);
  const text = isTyped ? typed : shown;
  const shared = {
    id,
    'aria-invalid': wrong !== '',
    'aria-describedby': `${id}-kind ${unit === '' ? '' : `${id}-unit `}${id}-hint ${id}-wrong`,
  };
  const typing: Typing = {
    ...shared,
    value: text,
    placeholder: draft.is === 'default' && column.isRequired ? '' : nameOf(draft),
    onInput: ({ currentTarget }) => {
      const to = withBreaksOf(value, currentTarget.value);
      setTyped(to);
      onDraft(to === '' ? emptyDraft(field, isNew) : draftFromTyped(to, column));
    },
  };
  const empties: readonly Draft[] = [
    ...(isNew && !column.isRequired ? [{ is: 'default' } as const] : []),
    ...(isNullable ? [{ is: 'null' } as const] : []),
    ...(kind === 'text' ? [{ is: 'text', text: '' } as const] : []),
  ];
  const exact = kind === 'number' && draft.is === 'text' && typed !== null && typed !== draft.text ? draft.text : '';
  const isChanged = value !== undefined && !isSame(draft, draftOf(value, column));
  const was =
    isChanged && value !== null && kind !== 'other' ? textToType(textOf(value) ?? '', column, look.isGrouped) : '';
  return (
    <div class="edit-field" ref={box}>
      <div class="edit-head">
        <label for={id} dir="auto">
          {label}
        </label>
        {isWritable && column.isRequired && <small class="required">{say.required}</small>}
        <small id={`${id}-kind`}>{look.kind}</small>
      </div>
      {choices !== null ? (
        <Choice {...shared} {...{ draft, choices, onDraft }} isYesNo={kind === 'bool'} states={empties} />
      ) : (
        <div class="edit-box" style={unit === '' ? undefined : { '--unit': `${unit.length + 1}ch` }}>
          {reference !== undefined ? (
            <ReferenceInput
              {...{ reference, typing, onTyping: setSearching }}
              code={draft.is === 'text' ? draft.text : ''}
              onCode={(code) => onDraft({ is: 'text', text: code })}
            />
          ) : kind === 'number' || kind === 'time' ? (
            <input {...typing} class="line" inputMode={kind === 'number' ? 'decimal' : 'text'} autocomplete="off" />
          ) : (
            <textarea {...typing} rows={1} dir={kind === 'text' ? 'auto' : 'ltr'} />
          )}
          {unit !== '' && (
            <span class="unit" id={`${id}-unit`} dir="auto">
              {unit}
            </span>
          )}
          {text === '' && empties.length > 1 && (
            <select
              aria-label={words.ifEmpty(label)}
              value={draft.is === 'text' ? 'text' : draft.is}
              onChange={({ currentTarget }) => {
                const chosen = empties.find(({ is }) => is === currentTarget.value);
                if (chosen !== undefined) onDraft(chosen);
                box.current?.querySelector<HTMLElement>('textarea,.line')?.focus();
              }}
            >
              {empties.map(({ is }) => (
                <option key={is} value={is}>
                  {nameOf({ is })}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      <small id={`${id}-hint`} class="hint" dir="auto">
        {[was.length > 0 && was.length < 60 ? words.was(was) : '', exact === '' ? '' : words.exactly(exact), notes]
          .filter((one) => one !== '')
          .join(' · ')}
      </small>
      <p class="wrong" id={`${id}-wrong`}>
        {wrong}
      </p>
    </div>
  );
}

/** What an empty field means. */
const nameOf = ({ is }: Pick<Draft, 'is'>): string =>
  is === 'null' ? say.nullValue : is === 'default' ? words.default : say.emptyText;
