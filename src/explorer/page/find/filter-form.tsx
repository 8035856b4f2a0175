import { useId, useState } from 'preact/hooks';
import { call } from '../ask/call.ts';
import type { Column } from '../ask/columns.ts';
import type { Condition } from '../ask/conditions.ts';
import { type Json, list, object, textOf } from '../ask/json.ts';
import { useLoaded } from '../parts/hooks.ts';
import { say } from '../texts/index.ts';
import { type Choice, choiceOf, choicesOf, conditionsFrom, inputOf, valueFromInput } from './operators.ts';

export interface FilterFormProps {
  readonly resource: string;
  readonly columns: readonly Column[];
  /** The column that is selected at first. */
  readonly field: string;
  /** The condition to edit; null for a new one. */
  readonly condition: Condition | null;
  onDone(conditions: readonly Condition[]): void;
}

/** Maximum number of suggestions. */
const maxSuggestions = 20;

export function FilterForm({ resource, columns, field: at, condition, onDone }: FilterFormProps) {
  const [field, setField] = useState(at);
  const column = columns.find(({ name }) => name === field) ?? columns[0];
  const start = condition === null ? null : choiceOf(condition, column?.kind ?? 'opaque');
  const [picked, setPicked] = useState<Choice | null>(start?.choice ?? null);
  const [values, setValues] = useState<readonly string[]>(start?.values ?? []);
  const [isWrong, setWrong] = useState(false);
  const id = useId();
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
    const texts =
      input === 'many'
        ? (values.join('\n').match(/[^\n]+/g) ?? [])
        : input === 'two'
          ? values.slice(0, 2)
          : [values[0] ?? ''];
    const read = input === 'none' ? [] : texts.map((text) => valueFromInput(text, column));
    const all = read.filter((one): one is Json => one !== undefined);
    if (all.length < read.length) setWrong(true);
    else onDone(conditionsFrom(column.name, choice, all));
  };
  const value = (nth: number, label: string) => (
    <label>
      {label}
      <input
        data-first={nth === 0 && condition !== null ? '' : undefined}
        value={values[nth] ?? ''}
        inputMode={column.kind === 'number' ? 'decimal' : 'text'}
        placeholder={column.kind === 'time' ? '2024-02-29' : ''}
        list={nth === 0 && column.kind === 'text' ? `${id}-values` : undefined}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        autocomplete="off"
        onInput={(event) => set(nth, event.currentTarget.value)}
      />
    </label>
  );
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
      {input === 'one' && value(0, say.value)}
      {input === 'two' && (
        <div class="pair">
          {value(0, say.from)}
          {value(1, say.to)}
        </div>
      )}
      {input === 'many' && (
        <label>
          {say.oneValuePerLine}
          <textarea
            rows={6}
            value={values.join('\n')}
            aria-invalid={isWrong}
            onInput={(event) => setValues(event.currentTarget.value.split('\n'))}
          />
        </label>
      )}
      {isWrong && (
        <p class="wrong" id={`${id}-wrong`} role="alert">
          {say.notANumber}
        </p>
      )}
      {input === 'one' && column.kind === 'text' && (
        <Suggestions id={`${id}-values`} resource={resource} field={column.name} text={values[0] ?? ''} />
      )}
      <button type="submit" class="primary">
        {condition === null ? say.addFilter : say.changeFilter}
      </button>
    </form>
  );
}

interface SuggestionsProps {
  readonly id: string;
  readonly resource: string;
  readonly field: string;
  readonly text: string;
}

/** Suggests values that start with the typed text. */
function Suggestions({ id, resource, field, text }: SuggestionsProps) {
  const { data } = useLoaded(JSON.stringify([field, text]), async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (signal.aborted) return [];
    const name = field.startsWith('$') ? `$${field}` : field;
    const filters = { [name]: { ilike: `${text.replace(/[\\%_]/g, '\\$&')}%` } };
    const params = {
      resource_id: resource,
      distinct: true,
      fields: [field],
      filters,
      limit: maxSuggestions,
      include_total: false,
    };
    const { result } = await call('datastore_search', params, { signal });
    return list(result.records).map((one) => textOf(object(one)[field] ?? null) ?? '');
  });
  return (
    <datalist id={id}>
      {(data ?? []).map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
