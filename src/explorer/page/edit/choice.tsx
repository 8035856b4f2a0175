import { say } from '../texts/index.ts';
import type { Draft } from './draft.ts';
import { words } from './texts/index.ts';

export interface ChoiceProps {
  readonly draft: Draft;
  readonly choices: readonly string[];
  /** Whether the choices are true and false. */
  readonly isYesNo: boolean;
  /** What the column can hold besides one of the choices. */
  readonly states: readonly Draft[];
  readonly id: string;
  onDraft(draft: Draft): void;
}

/** A column's choices, together with "no value" and the default if it can have them. Shows nothing until a required one is chosen. */
export function Choice({ draft, choices, isYesNo, states, onDraft, ...shared }: ChoiceProps) {
  const text = draft.is === 'text' ? draft.text : null;
  // A column may hold a value that is not among its declared ones: MySQL stores '' for an invalid ENUM.
  const all = text === null || choices.includes(text) ? choices : [text, ...choices];
  const others = states.map(({ is }) => is).filter((is) => is === 'null' || is === 'default');
  const nameOf = (one: string) => (isYesNo ? (one === 'true' ? say.yes : say.no) : one === '' ? say.emptyValue : one);
  return (
    <select
      {...shared}
      onChange={({ currentTarget: { value } }) => {
        const state = others.find((is) => is === value);
        // The `=` distinguishes a choice named `null` from NULL.
        onDraft(state === undefined ? { is: 'text', text: value.slice(1) } : { is: state });
      }}
    >
      {text === null && !others.some((is) => is === draft.is) && <option value="" selected disabled hidden />}
      {others.map((is) => (
        <option key={is} value={is} selected={draft.is === is}>
          {is === 'null' ? say.nullValue : words.default}
        </option>
      ))}
      {all.map((one) => (
        <option key={`=${one}`} value={`=${one}`} selected={one === text}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  );
}
