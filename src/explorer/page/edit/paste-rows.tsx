/** The pasted rows: a preview, a dry run, and one call that saves all of them or none. */
import { useState } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { shownCount } from '../texts/index.ts';
import { faultInWords } from './fault-in-words.ts';
import type { Field } from './fields.ts';
import { byKey } from './keys.ts';
import { canUndo, keepSave, maxKept } from './last-save.ts';
import type { Notation, Unclear } from './notation.ts';
import { mostShown, type Pair, pairsOf, readBefore, sendAll } from './paste-calls.ts';
import { Headline } from './paste-headline.tsx';
import { firstNames, PasteOptions, type WriteOptions } from './paste-options.tsx';
import { type CallLimits, inSlices, type Pasted } from './pasted/read.ts';
import { type Mapping, type ReadCell, shownRow, writtenRecords } from './pasted/records.ts';
import { Unreadable } from './pasted/unreadable.ts';
import { Preview } from './preview.tsx';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { cellValue } from './typed-value.ts';
import { complaint } from './write-error.ts';

export interface ParsedPaste {
  /** Counts the edits of the pasted text; a new number resets the form. */
  readonly edits: number;
  readonly pasted: Pasted;
  readonly mapping: Mapping;
  readonly notation: Notation | Unclear;
}

export interface PasteRowsProps {
  readonly table: Table;
  /** All columns of the table. */
  readonly fields: readonly Field[];
  readonly most: CallLimits;
  readonly read: ParsedPaste;
  readonly how: WriteOptions;
  onHow(how: WriteOptions): void;
  onSaved(count: number): void;
}

/** Records that passed a dry run: each one's JSON, what the dry run has stored, and the preview of the first ones. */
interface Checked {
  readonly records: readonly string[];
  readonly written: readonly JsonObject[] | null;
  readonly pairs: readonly Pair[] | null;
}

export function PasteRows(props: PasteRowsProps) {
  const { table, read } = props;
  const columns = read.mapping.fields.flatMap((field): readonly Column[] => (field === null ? [] : [field.column]));
  if (columns.length > 0) return <Form {...props} columns={columns} />;
  return (
    <p class="wrong" role="alert">
      {words.noColumns(firstNames(table.columns.map(({ label }) => label)))}
    </p>
  );
}

interface FormProps extends PasteRowsProps {
  /** The columns that the rows fill. */
  readonly columns: readonly Column[];
}

function Form(props: FormProps) {
  const { table, fields, read, how, columns, onHow, onSaved } = props;
  const { pasted } = read;
  const [checked, setChecked] = useState<Checked | null>(null);
  const { isBusy, wrong, run } = useSteps(() => setChecked(null));
  const check = async (signal: AbortSignal) => setChecked(await dryRun(props, signal));
  const isKept = canUndo(table, fields) && pasted.rows.length <= maxKept(table);
  const save = async ({ records, written }: Checked, signal: AbortSignal) => {
    const before = isKept && written !== null ? await readBefore(table, how.method, written, signal) : null;
    // Only the write itself returns the keys of new records, and triggers may store other values than in the dry run.
    const stored = await sendAll(table, how.method, records, { isDry: false, signal });
    const last = before && stored && [...byKey(table, stored).values()];
    keepSave(before && last && { kind: 'import', table, changes: pairsOf(table, before, last) });
    onSaved(records.length);
  };
  const all = words.rows(shownCount(pasted.rows.length), pasted.rows.length);
  const at = wrong?.row ?? null;
  const pairs = checked?.pairs ?? null;
  return (
    <form
      class="edit"
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        run((signal) => (checked === null ? check(signal) : save(checked, signal)));
      }}
    >
      <PasteOptions
        {...{ table, read, how, isBusy }}
        onHow={(to) => {
          setChecked(null);
          onHow(to);
        }}
      />
      <Headline {...{ wrong, all }} columns={table.columns} isChecked={checked !== null} />
      {wrong !== null && <p class="note">{words.nothingSaved}</p>}
      <Preview
        label={words.firstOnly(all)}
        columns={pairs === null ? columns : table.columns}
        pairs={pairs ?? pastedPairs(read, at)}
        from={at ?? 0}
        wrong={wrong?.fields ?? []}
      />
      {checked !== null && pairs === null && <p class="note">{words.cannotShow}</p>}
      {checked !== null && !isKept && (
        <p class="note">
          {canUndo(table, fields) ? words.undoLimit(shownCount(maxKept(table))) : words.cannotBeUndone}
        </p>
      )}
      <div class="row edit-foot">
        <button type="submit" class="primary" onClick={onlyOnce}>
          {checked === null ? words.check : words.saveAll(all)}
        </button>
      </div>
    </form>
  );
}

/** Converts all rows and sends them as a dry run. */
async function dryRun({ table, read, how, most }: PasteRowsProps, signal: AbortSignal): Promise<Checked> {
  const { pasted, mapping, notation } = read;
  const isPlain = (typeof notation === 'object' ? how.numbers : notation) === 'plain';
  const readCell: ReadCell = (text, column) => cellValue(text, column, isPlain);
  const records = await inSlices(writtenRecords(pasted, mapping, how.empty, most, readCell), signal).catch(complain);
  const written = await sendAll(table, how.method, records, { isDry: true, signal });
  const first = written?.slice(0, mostShown) ?? null;
  const pairs = first && pairsOf(table, await readBefore(table, how.method, first, signal), first);
  return { records, written, pairs };
}

/** Rethrows a conversion error as one that the form can show. */
function complain(error: unknown): never {
  if (!(error instanceof Unreadable)) throw error;
  const { fault } = error;
  throw fault.is === 'wrongCell' ? complaint(fault.why, [fault.name], fault.row) : complaint(faultInWords(fault));
}

/** The first rows as they were pasted, or only the row with the error. */
function pastedPairs({ pasted, mapping }: ParsedPaste, wrongRow: number | null): readonly Pair[] {
  const [from, to] = wrongRow === null ? [0, mostShown] : [wrongRow, wrongRow + 1];
  return pasted.rows.slice(from, to).map((row) => ({ before: null, after: shownRow(row, pasted.names, mapping) }));
}
