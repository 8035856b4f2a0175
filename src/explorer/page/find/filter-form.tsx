import { useState } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { Condition } from '../ask/conditions.ts';
import type { Json } from '../ask/json.ts';
import { type Choice, choiceOf } from '../parts/condition-words.ts';
import { shownNumber } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { typedNumber, whyNoNumber } from '../parts/typed-number.ts';
import { timeToType, typedTime } from '../parts/typed-time.ts';
import { say } from '../texts/index.ts';
import { choicesOf, conditionsFrom, type Input, inputOf } from './operators.ts';
import { ValueInputs } from './value-inputs.tsx';

export interface FilterFormProps {
  readonly resource: string;
  readonly columns: readonly Column[];
  /** The column that is selected at first. */
  readonly field: string;
  /** The condition to edit; null for a new one. */
  readonly condition: Condition | null;
  onDone(conditions: readonly Condition[]): void;
}

export function FilterForm({ resource, columns, field: at, condition, onDone }: FilterFormProps) {
  const [field, setField] = useState(at);
  const column = columns.find(({ name }) => name === field) ?? columns[0];
  const start = condition === null ? null : choiceOf(condition, column?.kind ?? 'opaque');
  const [picked, setPicked] = useState<Choice | null>(start?.choice ?? null);
  const [values, setValues] = useState<readonly string[]>(() =>
    (start?.values ?? []).map((text) => typedText(text, column)),
  );
  const [wrong, setWrong] = useState('');
  const choices = column === undefined ? [] : choicesOf(column, field === at ? (start?.choice ?? null) : null);
  const choice = choices.find((one) => one === picked) ?? choices[0];
  if (column === undefined || choice === undefined) return null;
  const input = inputOf(choice);
  const set = (nth: number, to: string) => {
    setValues(nth === 0 ? [to, ...values.slice(1)] : [values[0] ?? '', to]);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = textsOf(input, values).map((text) => valueFrom(text, column));
    const complaint = read.find(({ wrong }) => wrong !== '')?.wrong;
    if (complaint !== undefined) setWrong(complaint);
    else
      onDone(
        conditionsFrom(
          column.name,
          choice,
          read.map(({ value }) => value),
        ),
      );
  };
  return (
    <form class="form" onSubmit={submit} onInput={() => setWrong('')}>
      <div class="pair">
        <Select
          label={say.field}
          all={columns.map(({ name }) => name)}
          nameOf={(name) => columns.find((one) => one.name === name)?.label ?? name}
          value={column.name}
          onValue={setField}
        />
        <Select
          label={say.operator}
          all={choices}
          nameOf={(one) => say.operators[one]}
          value={choice}
          onValue={(one) => setPicked(one)}
        />
      </div>
      <ValueInputs
        {...{ resource, column, input, values, wrong, isFocused: condition !== null }}
        onValue={set}
        onValues={setValues}
      />
      <button type="submit" class="primary">
        {condition === null ? say.addFilter : say.changeFilter}
      </button>
    </form>
  );
}

/** A value as it would be typed. */
const typedText = (text: string, column: Column | undefined): string =>
  column?.kind === 'number' ? shownNumber(text, false) : column?.kind === 'time' ? timeToType(text) : text;

interface Read {
  readonly value: Json;
  /** What is wrong with the text; '' if nothing is. */
  readonly wrong: string;
}

/** Converts a typed text into the value of a condition. */
function valueFrom(text: string, { kind }: Column): Read {
  if (kind === 'time') return { value: typedTime(text), wrong: text.trim() === '' ? say.notATime : '' };
  if (kind !== 'number') return { value: text, wrong: '' };
  const number = typedNumber(text);
  if (number.is === 'number') return { value: number.value, wrong: '' };
  return { value: null, wrong: whyNoNumber(number) };
}

/** The texts that the user has typed for a condition. */
function textsOf(input: Input, values: readonly string[]): readonly string[] {
  switch (input) {
    case 'none':
      return [];
    case 'one':
      return [values[0] ?? ''];
    case 'two':
      return [values[0] ?? '', values[1] ?? ''];
    case 'many':
      return values.join('\n').match(/[^\n]+/g) ?? [];
  }
}
