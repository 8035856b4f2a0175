/** Edits or adds one record: first the form, then a preview from a dry run, then the write. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Trouble } from '../parts/trouble.tsx';
import { say } from '../texts/index.ts';
import type { Drafts } from './draft.ts';
import { errorAt, FieldList } from './field-list.tsx';
import type { Field } from './fields.ts';
import type { Tried } from './record-write.ts';
import { Review } from './review.tsx';
import { onlyOnce } from './steps.ts';
import { words } from './texts/index.ts';
import { useRecordWrite } from './use-record-write.ts';
import { loadWritable } from './write.ts';
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

type FormProps = RecordFormProps & { readonly fields: readonly Field[] };

function Form(props: FormProps) {
  const { table, record, fields, onCancel } = props;
  const { base, older, drafts, tried, isBusy, wrong, setDrafts, change, submit } = useRecordWrite(props);
  const form = useRef<HTMLFormElement>(null);
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
  return (
    <form
      ref={form}
      class="edit"
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
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
        <button type="button" onClick={tried === null ? onCancel : change}>
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
