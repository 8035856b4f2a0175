import { useState } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { Condition } from '../ask/conditions.ts';
import type { Json } from '../ask/json.ts';
import { say } from '../texts/index.ts';
import { type Choice, choiceOf, choicesOf, conditionsFrom, type Input, inputOf, valueFromInput } from './operators.ts';
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
  const [values, setValues] = useState<readonly string[]>(start?.values ?? []);
  const [isWrong, setWrong] = useState(false);
  const choices = column === undefined ? [] : choicesOf(column);
  const choice = choices.find((one) => one === picked) ?? choices[0];
  if (column === undefined || choice === undefined) return null;
  const input = inputOf(choice);
  const set = (nth: number, to: string) => {
    setWrong(false);
    setValues(nth === 0 ? [to, ...values.slice(1)] : [values[0] ?? '', to]);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = textsOf(input, values).map((text) => valueFromInput(text, column));
    const all = read.filter((one): one is Json => one !== undefined);
    if (all.length < read.length) setWrong(true);
    else onDone(conditionsFrom(column.name, choice, all));
  };
  return (
    <form class="form" onSubmit={submit}>
      <div class="pair">
        <label>
          {say.field}
          <select value={column.name} onChange={(event) => setField(event.currentTarget.value)}>
            {columns.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say.operator}
          <select
            value={choice}
            onChange={(event) => setPicked(choices.find((one) => one === event.currentTarget.value) ?? null)}
          >
            {choices.map((one) => (
              <option key={one} value={one}>
                {say.operators[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ValueInputs
        {...{ resource, column, input, values, isWrong, isFocused: condition !== null }}
        onValue={set}
        onValues={setValues}
      />
      <button type="submit" class="primary">
        {condition === null ? say.addFilter : say.changeFilter}
      </button>
    </form>
  );
}

/** The texts that were typed for a condition. */
function textsOf(input: Input, values: readonly string[]): readonly string[] {
  switch (input) {
    case 'none':
      return [];
    case 'one':
      return [values[0] ?? ''];
    case 'two':
      return values.slice(0, 2);
    case 'many':
      return values.join('\n').match(/[^\n]+/g) ?? [];
  }
}
