import { useId, useRef } from 'preact/hooks';
import type { Json } from '../ask/json.ts';
import { say } from '../texts/index.ts';
import { type Draft, draftFromInput, withBreaksOf } from './draft.ts';
import type { Field } from './fields.ts';
import { words } from './texts/index.ts';

export interface FieldInputProps {
  readonly field: Field;
  readonly draft: Draft;
  /** The stored value; undefined in a new record. */
  readonly value: Json | undefined;
  /** The error message of this field; '' for none. */
  readonly wrong: string;
  onDraft(draft: Draft): void;
}

/** The input for the value of one column. NULL has a checkbox of its own, because it is not the empty text. */
export function FieldInput({ field, draft, value, wrong, onDraft }: FieldInputProps) {
  const { column, isNullable, choices } = field;
  const { label, name, type, notes, kind } = column;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const isNew = value === undefined;
  const text = draft.is === 'text' ? draft.text : '';
  const shared = {
    id,
    'aria-invalid': wrong !== '',
    'aria-describedby': `${id}-about ${id}-wrong`,
    placeholder: draft.is === 'text' ? say.emptyValue : words[draft.is],
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onDraft(draftFromInput(withBreaksOf(value, currentTarget.value), field, isNew)),
  };
  const state = (which: 'default' | 'null') => (
    <label class="state">
      <input
        type="checkbox"
        checked={draft.is === which}
        aria-label={`${label}: ${words[which]}`}
        onChange={(event) => {
          onDraft(event.currentTarget.checked ? { is: which } : { is: 'text', text: choices?.[0] ?? '' });
          if (!event.currentTarget.checked) box.current?.querySelector<HTMLElement>('select,textarea,.line')?.focus();
        }}
      />
      {words[which]}
    </label>
  );
  return (
    <div class="edit-field" ref={box}>
      <div class="edit-head">
        <label for={id} dir="auto">
          {label}
        </label>
        <small id={`${id}-about`}>
          {label === name ? type : `${name} · ${type}`} <span dir="auto">{notes}</span>
        </small>
        {isNew && state('default')}
        {isNullable && state('null')}
      </div>
      {choices !== null ? (
        <Choice {...shared} {...{ draft, choices }} />
      ) : kind === 'number' || kind === 'time' ? (
        <input
          {...shared}
          class="line"
          value={text}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          autocomplete="off"
        />
      ) : (
        <textarea {...shared} value={text} rows={1} dir={kind === 'text' ? 'auto' : 'ltr'} />
      )}
      <p class="wrong" id={`${id}-wrong`}>
        {wrong}
      </p>
    </div>
  );
}

interface ChoiceProps {
  readonly draft: Draft;
  readonly choices: readonly string[];
  readonly placeholder: string;
  readonly id: string;
  onInput(event: { readonly currentTarget: { readonly value: string } }): void;
}

function Choice({ draft, choices, placeholder, ...shared }: ChoiceProps) {
  const text = draft.is === 'text' ? draft.text : null;
  // A column may hold a value that is not among its declared ones: MySQL stores '' for an invalid ENUM.
  const all = text === null || choices.includes(text) ? choices : [text, ...choices];
  return (
    <select {...shared}>
      {text === null && (
        <option selected disabled>
          {placeholder}
        </option>
      )}
      {all.map((one) => (
        <option key={one} value={one} selected={one === text}>
          {one === '' ? say.emptyValue : one}
        </option>
      ))}
    </select>
  );
}
