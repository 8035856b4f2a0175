import { useId } from 'preact/hooks';
import { call } from '../ask/call.ts';
import type { Column } from '../ask/columns.ts';
import { escapedPattern, filtersOf } from '../ask/conditions.ts';
import { list, object, textOf } from '../ask/json.ts';
import { useLoaded } from '../parts/hooks.ts';
import { timeToType } from '../parts/typed-time.ts';
import { say } from '../texts/index.ts';
import type { Input } from './operators.ts';

export interface ValueInputsProps {
  readonly resource: string;
  readonly column: Column;
  readonly input: Input;
  readonly values: readonly string[];
  /** What is wrong with a value; '' if nothing is. */
  readonly wrong: string;
  /** Whether the first input takes the focus when the form opens. */
  readonly isFocused: boolean;
  onValue(nth: number, to: string): void;
  onValues(values: readonly string[]): void;
}

/** The inputs for a condition's values, as many as its operator takes. */
export function ValueInputs(props: ValueInputsProps) {
  const { resource, column, input, values, wrong, isFocused, onValue, onValues } = props;
  const id = useId();
  const isWrong = wrong !== '';
  const value = (nth: number, label: string) => (
    <label>
      {label}
      <input
        data-first={nth === 0 && isFocused ? '' : undefined}
        value={values[nth] ?? ''}
        inputMode={column.kind === 'number' ? 'decimal' : 'text'}
        placeholder={column.kind === 'time' ? timeToType('2024-02-29') : ''}
        list={nth === 0 && column.kind === 'text' ? `${id}-values` : undefined}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        autocomplete="off"
        onInput={(event) => onValue(nth, event.currentTarget.value)}
      />
    </label>
  );
  return (
    <>
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
            onInput={(event) => onValues(event.currentTarget.value.split('\n'))}
          />
        </label>
      )}
      {isWrong && (
        <p class="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
      {input === 'one' && column.kind === 'text' && (
        <Suggestions id={`${id}-values`} resource={resource} field={column.name} text={values[0] ?? ''} />
      )}
    </>
  );
}

/** Maximum number of suggestions. */
const maxSuggestions = 20;

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
    const filters = filtersOf([{ field, op: 'ilike', value: `${escapedPattern(text)}%` }]);
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
