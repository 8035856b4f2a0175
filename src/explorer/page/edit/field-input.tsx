import { useId, useState } from 'preact/hooks';
import { type Json, textOf } from '../ask/json.ts';
import type { Reference } from '../ask/table.ts';
import type { Look } from '../parts/looks.ts';
import { say } from '../texts/index.ts';
import { Choice } from './choice.tsx';
import { type Draft, draftOf, isSame } from './draft.ts';
import { EmptyChoice, emptyDrafts, emptyName } from './empty-choice.tsx';
import type { Field } from './fields.ts';
import { ReferenceInput, type Typing } from './reference-input.tsx';
import { words } from './texts/index.ts';
import { textToType } from './typed-value.ts';
import { useTypedText } from './use-typed-text.ts';

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
export function FieldInput(props: FieldInputProps) {
  const { field, reference, draft, value, look, onDraft } = props;
  const { column, choices } = field;
  const id = useId();
  /** Whether the user is typing a name, to choose the record with that name. */
  const [isSearching, setSearching] = useState(false);
  const { text, exact, onType } = useTypedText(field, draft, value, look.isGrouped, onDraft);
  const unit = reference === undefined && choices === null ? column.unit : '';
  const empties = emptyDrafts(field, value === undefined);
  const wrong = (isSearching ? '' : whyUnreadable(draft, reference)) || props.wrong;
  const shared = {
    id,
    'aria-invalid': wrong !== '',
    'aria-describedby': `${id}-kind ${unit === '' ? '' : `${id}-unit `}${id}-hint ${id}-wrong`,
  };
  const typing: Typing = {
    ...shared,
    value: text,
    placeholder: draft.is === 'default' && column.isRequired ? '' : emptyName(draft),
    onInput: ({ currentTarget }) => onType(currentTarget.value),
  };
  return (
    <div class="edit-field">
      <FieldHead {...{ id, field, look }} />
      {choices !== null ? (
        <Choice {...shared} {...{ draft, choices, onDraft }} isYesNo={column.kind === 'bool'} states={empties} />
      ) : (
        <div class="edit-box" style={unit === '' ? undefined : { '--unit': `${unit.length + 1}ch` }}>
          <TypedInput {...{ field, reference, draft, typing, onDraft }} onTyping={setSearching} />
          {unit !== '' && (
            <span class="unit" id={`${id}-unit`} dir="auto">
              {unit}
            </span>
          )}
          {text === '' && empties.length > 1 && (
            <EmptyChoice {...{ label: column.label, draft, drafts: empties, onDraft }} />
          )}
        </div>
      )}
      <small id={`${id}-hint`} class="hint" dir="auto">
        {[textBefore(props), exact === '' ? '' : words.exactly(exact), column.notes]
          .filter((one) => one !== '')
          .join(' · ')}
      </small>
      <p class="wrong" id={`${id}-wrong`}>
        {wrong}
      </p>
    </div>
  );
}

/** Why a draft's text cannot be read; '' if it can. */
const whyUnreadable = (draft: Draft, reference: Reference | undefined): string =>
  draft.is !== 'unreadable' ? '' : reference === undefined ? draft.why : words.chooseOne;

/** Values of this many characters are too long for the hint. */
const longFrom = 60;

/** What a changed field held before, if that is short; '' otherwise. */
function textBefore({ field: { column }, draft, value, look }: FieldInputProps): string {
  if (value === undefined || value === null || column.kind === 'other') return '';
  if (isSame(draft, draftOf(value, column))) return '';
  const before = textToType(textOf(value) ?? '', column, look.isGrouped);
  return before.length > 0 && before.length < longFrom ? words.was(before) : '';
}

/** A field's label, with the kind of its values. @param id the input's id */
function FieldHead({ id, field, look }: Pick<FieldInputProps, 'field' | 'look'> & { readonly id: string }) {
  const { column, isWritable } = field;
  return (
    <div class="edit-head">
      <label for={id} dir="auto">
        {column.label}
      </label>
      {isWritable && column.isRequired && <small class="required">{say.required}</small>}
      <small id={`${id}-kind`}>{look.kind}</small>
    </div>
  );
}

interface TypedInputProps extends Pick<FieldInputProps, 'field' | 'reference' | 'draft' | 'onDraft'> {
  readonly typing: Typing;
  /** Called when the user begins or stops typing the name of a record. */
  onTyping(isTyping: boolean): void;
}

/** The input for a column that takes any value: of a reference, one line, or a text. */
function TypedInput({ field, reference, draft, typing, onDraft, onTyping }: TypedInputProps) {
  const { kind } = field.column;
  if (reference !== undefined)
    return (
      <ReferenceInput
        {...{ reference, typing, onTyping }}
        code={draft.is === 'text' ? draft.text : ''}
        onCode={(code) => onDraft({ is: 'text', text: code })}
      />
    );
  if (kind === 'number' || kind === 'time')
    return <input {...typing} class="line" inputMode={kind === 'number' ? 'decimal' : 'text'} autocomplete="off" />;
  return <textarea {...typing} rows={1} dir={kind === 'text' ? 'auto' : 'ltr'} />;
}
