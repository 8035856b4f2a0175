/** Edits or adds one record: first the form, then a preview from a dry run, then the write. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Refused } from '../ask/call.ts';
import { type JsonObject, textOf } from '../ask/json.ts';
import { useLoaded } from '../parts/hooks.ts';
import { Trouble } from '../parts/trouble.tsx';
import { setUnsaved } from '../parts/unsaved.ts';
import { Value } from '../parts/value.tsx';
import type { Table } from '../table-view.tsx';
import { say } from '../texts/index.ts';
import { changesOf, type Drafts, draftOf, withDraft } from './draft.ts';
import { FieldInput } from './field-input.tsx';
import type { Field } from './fields.ts';
import { Review } from './review.tsx';
import { onlyOnce, useSteps } from './steps.ts';
import { words } from './texts/index.ts';
import { complaint, loadWritable, readUnchanged, write, writeErrorOf } from './write.ts';

export interface RecordFormProps {
  readonly table: Table;
  /** The record as the panel shows it; null for a new one. */
  readonly record: JsonObject | null;
  /** Called with the saved record; null if the database cannot return it. */
  onSaved(record: JsonObject | null): void;
  onCancel(): void;
}

/** A write that passed a dry run: the values to send, and the record before and after it. */
interface Tried {
  readonly values: JsonObject;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

export function RecordForm({ table, record, onSaved, onCancel }: RecordFormProps) {
  const [tries, setTries] = useState(0);
  const { data: writable, error } = useLoaded(`${tries}`, (signal) => loadWritable(table, signal));
  const [base, setBase] = useState(record);
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const [tried, setTried] = useState<Tried | null>(null);
  const { isBusy, wrong, run } = useSteps(() => setTried(null));
  const form = useRef<HTMLFormElement>(null);
  const isNew = record === null;
  const fields = useMemo(() => (writable?.fields ?? []).filter((one) => !isNew || one.isWritable), [writable]);
  useLayoutEffect(() => {
    setUnsaved(drafts.size > 0);
    return () => setUnsaved(false);
  }, [drafts]);
  // The focus moves to what is new: the field with the error, or else the message at the top.
  useEffect(() => {
    if (wrong === null && tried === null) return;
    const [field, head] = ['[aria-invalid="true"]', '.said'].map((one) =>
      form.current?.querySelector<HTMLElement>(one),
    );
    (field ?? head)?.focus();
  }, [wrong, tried]);
  if (error !== null) return <Trouble error={error} resource={table.id} onRetry={() => setTries(tries + 1)} />;
  if (writable === null) return <p class="note">{say.loading}</p>;

  const check = async (signal: AbortSignal) => {
    const { values, notJson } = changesOf(base, drafts, fields);
    if (notJson.length > 0) throw complaint(words.notJson, notJson);
    if (base !== null && Object.keys(values).length === 0) throw complaint(words.unchanged);
    const before = base === null ? null : await readUnchanged(table, base, setBase, signal);
    setTried({ values, before, after: await write(table, before, values, { isDry: true, signal }) });
  };
  const save = async ({ values, before, after }: Tried, signal: AbortSignal) => {
    if (before !== null) await readUnchanged(table, before, setBase, signal);
    const key = before === null && after !== null ? keyFromDatabase(after, values, fields) : {};
    const saved = await write(table, before, { ...key, ...values }, { isDry: false, signal }).catch(
      (error: unknown) => {
        if (error instanceof Refused && writeErrorOf(error).fields.some((name) => Object.hasOwn(key, name)))
          throw complaint(words.isUnknown);
        throw error;
      },
    );
    setUnsaved(false);
    onSaved(saved);
  };
  const wrongAt = (name: string) => (wrong?.fields.includes(name) ? wrong.text : '');
  const isAtField = fields.some(({ column }) => wrongAt(column.name) !== '');
  const head = isNew ? words.reviewNew : words.review;
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
      <p class={`said ${wrong === null ? '' : 'wrong'}`} role={wrong === null ? 'status' : 'alert'} tabIndex={-1}>
        {wrong === null ? tried !== null && head : isAtField ? words.seeFields : wrong.text}
      </p>
      {tried === null ? (
        fields.map((field) => {
          const { name } = field.column;
          const value = base === null ? undefined : (base[name] ?? null);
          const why = base === null ? '' : whyFixed(field, value);
          if (why !== '') return <Fixed key={name} {...{ field, value, why }} />;
          return (
            <FieldInput
              key={name}
              {...{ field, value, wrong: wrongAt(name), draft: drafts.get(name) ?? draftOf(value, field.column) }}
              onDraft={(draft) => setDrafts(withDraft(drafts, field.column, value, draft))}
            />
          );
        })
      ) : (
        <>
          {tried.after === null ? (
            <p class="note">{words.cannotShow}</p>
          ) : (
            <Review columns={table.columns} before={tried.before} after={tried.after} sent={tried.values} />
          )}
          <p class="note">{isNew ? words.numbering : words.race}</p>
        </>
      )}
      <div class="row edit-foot">
        <button type="submit" class="primary" onClick={onlyOnce}>
          {tried === null ? words.check : words.save}
        </button>
        <button type="button" onClick={tried === null ? onCancel : () => setTried(null)}>
          {tried === null ? words.cancel : words.change}
        </button>
      </div>
    </form>
  );
}

/**
 * The generated key of a new record, taken from the dry run. Sequences never return a number twice, so we save with this key. If the browser resends
 * the call after a broken connection, the duplicate key keeps it from adding the record again.
 */
function keyFromDatabase(after: JsonObject, values: JsonObject, fields: readonly Field[]): JsonObject {
  const generated = fields.filter(
    ({ isKey, column: { name } }) => isKey && !Object.hasOwn(values, name) && Object.hasOwn(after, name),
  );
  return Object.fromEntries(generated.map(({ column: { name } }) => [name, after[name] ?? null]));
}

/** Characters after which a textarea becomes slow. */
const maxCharacters = 20_000;

/** Why a field of an existing record cannot be edited; '' if it can. */
function whyFixed({ isKey, isWritable }: Field, value: JsonObject[string] | undefined): string {
  if (isKey) return words.isKey;
  if (!isWritable) return words.isReadOnly;
  return (textOf(value ?? null) ?? '').length > maxCharacters ? words.isLong : '';
}

function Fixed({
  field: { column },
  value,
  why,
}: {
  readonly field: Field;
  readonly value: JsonObject[string] | undefined;
  readonly why: string;
}) {
  return (
    <div class="edit-field">
      <div class="edit-head">
        <span dir="auto">{column.label}</span>
        <small>
          {column.type} · {why}
        </small>
      </div>
      <p class="fixed" dir="auto">
        <Value value={value ?? null} words={[]} most={200} />
      </p>
    </div>
  );
}
