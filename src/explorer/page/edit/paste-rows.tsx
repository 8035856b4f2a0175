/** The pasted rows: a preview, a dry run, and one call that saves all of them or none. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { Table } from '../table-view.tsx';
import { shownCount } from '../texts/index.ts';
import { faultInWords } from './fault-in-words.ts';
import { mostShown, type Pair, sendAll } from './paste-calls.ts';
import { type CallLimits, inSlices, type Pasted } from './pasted/read.ts';
import { type Empty, empties, type Mapping, shownRow, writtenRecords } from './pasted/records.ts';
import { Unreadable } from './pasted/unreadable.ts';
import { Preview } from './preview.tsx';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { complaint, type Method, methods } from './write.ts';

export interface ParsedPaste {
  /** Number of the edit that produced this text; a new one resets the form. */
  readonly edits: number;
  readonly pasted: Pasted;
  readonly mapping: Mapping;
}

/** What to do with the rows. */
export interface WriteOptions {
  readonly method: Method;
  readonly empty: Empty;
  /** Whether the user agreed to skip columns that the table does not have. */
  readonly leavesOut: boolean;
}

export interface PasteRowsProps {
  readonly table: Table;
  readonly most: CallLimits;
  readonly read: ParsedPaste;
  readonly how: WriteOptions;
  onHow(how: WriteOptions): void;
  onSaved(count: number): void;
}

/** Records that passed a dry run: the JSON of each, and the preview of the first ones. */
interface Checked {
  readonly records: readonly string[];
  readonly pairs: readonly Pair[] | null;
}

export function PasteRows({ table, most, read: { pasted, mapping }, how, onHow, onSaved }: PasteRowsProps) {
  const { method, empty, leavesOut } = how;
  const [checked, setChecked] = useState<Checked | null>(null);
  const { isBusy, wrong, run } = useSteps(() => setChecked(null));
  const head = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (wrong !== null || checked !== null) head.current?.focus();
  }, [wrong, checked]);
  const columns = mapping.fields.flatMap((field): readonly Column[] => (field === null ? [] : [field.column]));
  const change = (part: Partial<WriteOptions>) => {
    setChecked(null);
    onHow({ ...how, ...part });
  };
  const check = async (signal: AbortSignal) => {
    const records = await inSlices(writtenRecords(pasted, mapping, empty, most), signal).catch((error: unknown) => {
      if (!(error instanceof Unreadable)) throw error;
      const { fault } = error;
      throw fault.is === 'notJson' ? complaint(words.notJson, [fault.name], fault.row) : complaint(faultInWords(fault));
    });
    setChecked({ records, pairs: await sendAll(table, method, records, { isDry: true, signal }) });
  };
  const save = async ({ records }: Checked, signal: AbortSignal) => {
    await sendAll(table, method, records, { isDry: false, signal });
    onSaved(records.length);
  };
  const { length } = pasted.rows;
  const all = words.rows(shownCount(length), length);
  const rowsFrom = (from: number, to: number): readonly Pair[] =>
    pasted.rows.slice(from, to).map((row) => ({ before: null, after: shownRow(row, pasted.names, mapping) }));
  const at = wrong?.row ?? null;
  const pairs = checked?.pairs ?? null;
  const headline =
    wrong === null
      ? checked !== null && words.checked(all)
      : at === null
        ? wrong.text
        : words.row(shownCount(at + 1), wrong.fields.join(', '), wrong.text);
  if (columns.length === 0)
    return (
      <p class="wrong" role="alert">
        {words.noColumns(some(table.columns.map(({ label }) => label)))}
      </p>
    );
  return (
    <form
      class="edit"
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        run((signal) => (checked === null ? check(signal) : save(checked, signal)));
      }}
    >
      {mapping.readOnly.length > 0 && <p class="note">{words.readOnlyColumns(some(mapping.readOnly))}</p>}
      {mapping.unknown.length > 0 && (
        <>
          <p class="wrong">{words.unknownColumns(some(mapping.unknown))}</p>
          <label class="choice">
            <input
              type="checkbox"
              required
              disabled={isBusy}
              checked={leavesOut}
              onChange={(event) => change({ leavesOut: event.currentTarget.checked })}
            />
            {words.leaveOut}
          </label>
        </>
      )}
      {/* Disabled while a check runs, so that what is saved is exactly what was checked. */}
      <div class="pair">
        <Select
          label={words.method}
          all={methods}
          texts={words.methods}
          value={method}
          isFixed={isBusy || table.key.length === 0}
          onValue={(to) => change({ method: to })}
        />
        {Array.isArray(pasted.rows[0]) && (
          <Select
            label={words.emptyCells}
            all={empties}
            texts={words.emptyAre}
            value={empty}
            isFixed={isBusy}
            onValue={(to) => change({ empty: to })}
          />
        )}
      </div>
      <p
        ref={head}
        tabIndex={-1}
        class={`said ${wrong === null ? '' : 'wrong'}`}
        role={wrong === null ? 'status' : 'alert'}
      >
        {headline}
      </p>
      {wrong !== null && <p class="note">{words.nothingSaved}</p>}
      <Preview
        label={words.firstOnly(all)}
        columns={pairs === null ? columns : table.columns}
        pairs={pairs ?? (at === null ? rowsFrom(0, mostShown) : rowsFrom(at, at + 1))}
        from={at ?? 0}
        wrong={wrong?.fields ?? []}
      />
      {checked !== null && pairs === null && <p class="note">{words.cannotShow}</p>}
      <div class="row edit-foot">
        <button type="submit" class="primary" onClick={onlyOnce}>
          {checked === null ? words.check : words.saveAll(all)}
        </button>
      </div>
    </form>
  );
}

/** The first 20 names, with an ellipsis if there are more. */
const some = (names: readonly string[]): string =>
  [...names.slice(0, 20), ...(names.length > 20 ? ['…'] : [])].join(', ');

interface SelectProps<T extends string> {
  readonly label: string;
  /** The values, and the text shown for each. */
  readonly all: readonly T[];
  readonly texts: Readonly<Record<T, string>>;
  readonly value: T;
  readonly isFixed: boolean;
  onValue(value: T): void;
}

function Select<T extends string>({ label, all, texts, value, isFixed, onValue }: SelectProps<T>) {
  return (
    <label>
      {label}
      <select
        value={value}
        disabled={isFixed}
        onChange={(event) => onValue(all.find((one) => one === event.currentTarget.value) ?? value)}
      >
        {all.map((one) => (
          <option key={one} value={one}>
            {texts[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
