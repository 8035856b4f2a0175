/** Edits or adds one record: first the form, then a preview from a dry run, then the write. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Trouble } from '../parts/trouble.tsx';
import { setUnsaved, useUnsaved } from '../parts/unsaved.ts';
import { say } from '../texts/index.ts';
import type { Drafts } from './draft.ts';
import { errorAt, FieldList } from './field-list.tsx';
import type { Field } from './fields.ts';
import { canUndo, keepSave } from './last-save.ts';
import { checkedValues, type Tried, writeTried } from './record-write.ts';
import { Review } from './review.tsx';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { loadWritable, readUnchanged, write } from './write.ts';
import type { WriteError } from './write-error.ts';
import { Wrong } from './wrong.tsx';

export interface RecordFormProps {
  readonly table: Table;
  /** The record as the panel shows it; null for a new one. */
  readonly record: JsonObject | null;
  /** Called with the saved record; null if the database cannot return it. */
  onSaved(record: JsonObject | null): void;
  onCancel(): void;
}

export function RecordForm(props: RecordFormProps) {
  const { table, record } = props;
  const { data: writable, error, onRetry } = useLoaded('', (signal) => loadWritable(table, signal));
  const fields = useMemo(
    () => (writable?.fields ?? []).filter(({ isWritable }) => record !== null || isWritable),
    [writable],
  );
  if (error !== null) return <Trouble error={error} resource={table.id} onRetry={onRetry} />;
  if (writable === null) return <p class="note">{say.loading}</p>;
  return <Form {...props} fields={fields} />;
}

function Form({ table, record, fields, onSaved, onCancel }: RecordFormProps & { readonly fields: readonly Field[] }) {
  const [base, setBase] = useState(record);
  /** The record before another user changed it, until the next check passes. */
  const [older, setOlder] = useState<JsonObject | null>(null);
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const [tried, setTried] = useState<Tried | null>(null);
  const { isBusy, wrong, run } = useSteps(() => setTried(null));
  const form = useRef<HTMLFormElement>(null);
  useUnsaved(drafts.size > 0);
  // From the grid, Enter leads into the form.
  useEffect(() => {
    if (document.activeElement?.closest('.grid') != null)
      form.current?.querySelector<HTMLElement>('input,select,textarea')?.focus();
  }, []);
  // Move the focus to what is new: the field with the error, or else the message at the top.
  useEffect(() => {
    if (wrong === null && tried === null) return;
    const [field, head] = ['[aria-invalid="true"]', '.said'].map((one) =>
      form.current?.querySelector<HTMLElement>(one),
    );
    (field ?? head)?.focus();
  }, [wrong, tried]);
  const follow = (now: JsonObject) => {
    setOlder(base);
    setBase(now);
  };
  const check = async (signal: AbortSignal) => {
    const values = checkedValues(base, drafts, fields);
    const before = base === null ? null : await readUnchanged(table, base, follow, signal);
    setOlder(null);
    setTried({ values, before, after: await write(table, before, values, { isDry: true, signal }) });
  };
  const save = async (reviewed: Tried, signal: AbortSignal) => {
    if (reviewed.before !== null) await readUnchanged(table, reviewed.before, follow, signal);
    const saved = await writeTried(table, reviewed, fields, signal);
    setUnsaved(false);
    const changes = saved !== null && canUndo(table, fields) ? [{ before: reviewed.before, after: saved }] : null;
    keepSave(changes && { kind: 'save', table, changes });
    onSaved(saved);
  };
  return (
    <form
      ref={form}
      class="edit"
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        run((signal) => (tried === null ? check(signal) : save(tried, signal)));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) form.current?.requestSubmit();
      }}
    >
      <div class="said" role={wrong === null ? 'status' : 'alert'} tabIndex={-1}>
        {wrong === null ? (
          tried !== null && (record === null ? words.reviewNew : words.review)
        ) : (
          <Wrong text={summary(wrong, fields)} details={wrong.details} />
        )}
      </div>
      {tried === null ? (
        <FieldList {...{ table, fields, base, drafts, wrong, older, onDrafts: setDrafts }} />
      ) : (
        <Outcome {...{ table, tried }} isNew={record === null} />
      )}
      <div class="row edit-foot">
        <button type="submit" class="primary" onClick={onlyOnce}>
          {tried === null ? words.check : words.save}
        </button>
        <button type="button" onClick={tried === null ? onCancel : () => setTried(null)}>
          {tried === null ? words.cancel : words.change}
        </button>
        {tried === null && drafts.size > 0 && <small class="edit-count">{stateOf(drafts)}</small>}
      </div>
    </form>
  );
}

/** How many fields have changed, and how many of those cannot be read. */
function stateOf(drafts: Drafts): string {
  const [changes, problems] = [drafts.size, [...drafts.values()].filter(({ is }) => is === 'unreadable').length];
  return [words.changes(changes), ...(problems === 0 ? [] : [words.problems(problems)])].join(', ');
}

/** The error message. If a field already shows it, only points to the fields. */
const summary = (wrong: WriteError, fields: readonly Field[]): string =>
  fields.some(({ column }) => errorAt(wrong, column.name) !== '') ? words.seeFields : wrong.text;

interface OutcomeProps {
  readonly table: Table;
  readonly tried: Tried;
  readonly isNew: boolean;
}

/** The preview of the write, as its dry run returned it. */
function Outcome({ table, tried: { values, before, after }, isNew }: OutcomeProps) {
  return (
    <>
      {after === null ? (
        <p class="note">{words.cannotShow}</p>
      ) : (
        <Review columns={table.columns} before={before} after={after} sent={values} />
      )}
      <p class="note">{isNew ? words.numbering : words.race}</p>
    </>
  );
}
