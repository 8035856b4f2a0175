/** The pasted rows: a preview, a dry run, and one call that saves all of them or none. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Column } from '../ask/columns.ts';
import type { Table } from '../ask/table.ts';
import { shownCount } from '../texts/index.ts';
import { faultInWords } from './fault-in-words.ts';
import { forgetSave } from './last-save.ts';
import { mostShown, type Pair, sendAll } from './paste-calls.ts';
import { firstNames, PasteOptions, type WriteOptions } from './paste-options.tsx';
import { type CallLimits, inSlices, type Pasted } from './pasted/read.ts';
import { type Mapping, shownRow, writtenRecords } from './pasted/records.ts';
import { Unreadable } from './pasted/unreadable.ts';
import { Preview } from './preview.tsx';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { complaint, type WriteError } from './write.ts';

export interface ParsedPaste {
  /** Number of the edit that produced this text; a new one resets the form. */
  readonly edits: number;
  readonly pasted: Pasted;
  readonly mapping: Mapping;
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

function Form({ table, most, read, how, columns, onHow, onSaved }: FormProps) {
  const { pasted, mapping } = read;
  const [checked, setChecked] = useState<Checked | null>(null);
  const { isBusy, wrong, run } = useSteps(() => setChecked(null));
  const check = async (signal: AbortSignal) => {
    const records = await inSlices(writtenRecords(pasted, mapping, how.empty, most), signal).catch(complain);
    setChecked({ records, pairs: await sendAll(table, how.method, records, { isDry: true, signal }) });
  };
  const save = async ({ records }: Checked, signal: AbortSignal) => {
    await sendAll(table, how.method, records, { isDry: false, signal });
    forgetSave();
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
      <Headline {...{ wrong, checked, all }} />
      {wrong !== null && <p class="note">{words.nothingSaved}</p>}
      <Preview
        label={words.firstOnly(all)}
        columns={pairs === null ? columns : table.columns}
        pairs={pairs ?? pastedPairs(read, at)}
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

/** Rethrows an error of the conversion as one that the form can show. */
function complain(error: unknown): never {
  if (!(error instanceof Unreadable)) throw error;
  const { fault } = error;
  throw fault.is === 'notJson' ? complaint(words.notJson, [fault.name], fault.row) : complaint(faultInWords(fault));
}

interface HeadlineProps {
  readonly wrong: WriteError | null;
  readonly checked: Checked | null;
  /** The number of rows, in words. */
  readonly all: string;
}

/** The error, or that the dry run has passed. Either takes the focus when it is new. */
function Headline({ wrong, checked, all }: HeadlineProps) {
  const head = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (wrong !== null || checked !== null) head.current?.focus();
  }, [wrong, checked]);
  return (
    <p
      ref={head}
      tabIndex={-1}
      class={`said ${wrong === null ? '' : 'wrong'}`}
      role={wrong === null ? 'status' : 'alert'}
    >
      {wrong === null ? checked !== null && words.checked(all) : inWords(wrong)}
    </p>
  );
}

const inWords = ({ row, fields, text }: WriteError): string =>
  row === null ? text : words.row(shownCount(row + 1), fields.join(', '), text);

/** The first rows as they were pasted, or only the row with the error. */
function pastedPairs({ pasted, mapping }: ParsedPaste, wrongRow: number | null): readonly Pair[] {
  const [from, to] = wrongRow === null ? [0, mostShown] : [wrongRow, wrongRow + 1];
  return pasted.rows.slice(from, to).map((row) => ({ before: null, after: shownRow(row, pasted.names, mapping) }));
}
