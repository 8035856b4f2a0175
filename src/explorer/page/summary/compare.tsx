/** The card that compares two columns: a form, and the table below it. */
import { useState } from 'preact/hooks';
import type { Column, Kind } from '../ask/columns.ts';
import { textOf } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { shownNumber } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import type { TabProps } from '../parts/tab-props.ts';
import { typedNumber, whyNoNumber } from '../parts/typed-number.ts';
import { say, summaryWords as words } from '../texts/index.ts';
import { type Comparison, calendarOf, comparisonOf, functions, hasWidth, paramsOf, type Side } from './comparison.ts';
import { PivotTable } from './pivot-table.tsx';

export function Compare(props: TabProps) {
  const { table, view, onShow } = props;
  const columns = table.columns.filter(({ kind }) => kind !== 'other');
  const asked = comparisonOf(view.compared, columns);
  const [draft, setDraft] = useState<Comparison | null>(() => asked ?? proposed(columns, table));
  if (draft === null) return null;
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const { measure } = draft;
  return (
    <section class="card wide" aria-label={words.compare}>
      <form
        class="compare"
        onSubmit={(event) => {
          event.preventDefault();
          onShow({ compared: paramsOf(draft) });
        }}
      >
        <SideInputs
          {...{ columns, label: words.rows, side: draft.rows, other: draft.columns.column }}
          onChange={(rows) => setDraft({ ...draft, rows })}
        />
        <SideInputs
          {...{ columns, label: words.columns, side: draft.columns, other: draft.rows.column }}
          onChange={(side) => setDraft({ ...draft, columns: side })}
        />
        <Select
          label={words.measure}
          all={numbers.length === 0 ? ['count'] : functions}
          nameOf={(fn) => words.measures[fn]}
          value={measure.fn}
          onValue={(fn) =>
            setDraft({
              ...draft,
              measure: { fn, column: fn === 'count' ? null : (measure.column ?? numbers[0] ?? null) },
            })
          }
        />
        {measure.column !== null && (
          <ColumnChoice
            {...{ label: words.of, columns: numbers, column: measure.column }}
            onChange={(column) => setDraft({ ...draft, measure: { ...measure, column } })}
          />
        )}
        <button type="submit" class="primary">
          {words.run}
        </button>
      </form>
      {asked !== null && <PivotTable {...props} comparison={asked} />}
    </section>
  );
}

/** Proposes the two columns most worth comparing: texts rather than numbers, because they often have few values; keys and labels last. */
function proposed(columns: readonly Column[], { key, label }: Table): Comparison | null {
  const ranks = new Map(
    columns.map((column) => [column, rank(column) + ([...key, label].includes(column.name) ? 9 : 0)]),
  );
  const [first, second] = columns.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
  if (first === undefined || second === undefined) return null;
  return { rows: sideOf(first), columns: sideOf(second), measure: { fn: 'count', column: null } };
}

const order: readonly Kind[] = ['text', 'bool', 'time', 'opaque', 'number'];
const rank = ({ kind }: Column): number => order.indexOf(kind);

/** Times start out grouped by year: otherwise each moment would be a row. */
const sideOf = (column: Column): Side => ({ column, every: calendarOf(column)[0] ?? null, width: '' });

interface ColumnChoiceProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly column: Column;
  onChange(column: Column): void;
}

function ColumnChoice({ label, columns, column, onChange }: ColumnChoiceProps) {
  const find = (name: string) => columns.find((one) => one.name === name) ?? column;
  return (
    <Select
      label={label}
      all={columns.map(({ name }) => name)}
      nameOf={(name) => find(name).label}
      value={column.name}
      onValue={(name) => onChange(find(name))}
    />
  );
}

interface SideInputsProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly side: Side;
  /** The column on the other side, which cannot be chosen here. */
  readonly other: Column;
  onChange(side: Side): void;
}

function SideInputs({ label, columns, side, other, onChange }: SideInputsProps) {
  const { column, every, width } = side;
  const calendar = calendarOf(column);
  return (
    <fieldset>
      <legend class="unseen-label">{label}</legend>
      <ColumnChoice
        {...{ label, column, columns: columns.filter((one) => one !== other) }}
        onChange={(to) => onChange(sideOf(to))}
      />
      {calendar.length > 0 && (
        <Select
          label={words.steps}
          all={[...calendar, 'value']}
          nameOf={(step) => (step === 'value' ? words.eachValue : say.steps[step])}
          value={every ?? 'value'}
          onValue={(step) => onChange({ ...side, every: step === 'value' ? null : step })}
        />
      )}
      {hasWidth(column) && (
        <WidthInput key={column.name} width={width} onWidth={(to) => onChange({ ...side, width: to })} />
      )}
    </fieldset>
  );
}

interface WidthInputProps {
  /** A decimal; '' for none. */
  readonly width: string;
  onWidth(width: string): void;
}

/** The width of steps, typed as the page's language writes numbers. */
function WidthInput({ width, onWidth }: WidthInputProps) {
  const [typed, setTyped] = useState(shownNumber(width, false));
  return (
    <label>
      {words.width}
      <input
        type="text"
        inputMode="decimal"
        placeholder={words.eachValue}
        value={typed}
        onInput={({ currentTarget }) => {
          const { value } = currentTarget;
          const { width, wrong } = typedWidth(value);
          currentTarget.setCustomValidity(wrong);
          setTyped(value);
          onWidth(width);
        }}
      />
    </label>
  );
}

/** Reads a typed width: '' for none, and what is wrong with a text that is not a positive number. */
function typedWidth(typed: string): { readonly width: string; readonly wrong: string } {
  if (typed.trim() === '') return { width: '', wrong: '' };
  const number = typedNumber(typed);
  if (number.is !== 'number') return { width: '', wrong: whyNoNumber(number) };
  const width = textOf(number.value) ?? '';
  return /^\d/.test(width) && Number(width) > 0 ? { width, wrong: '' } : { width: '', wrong: say.notANumber };
}
