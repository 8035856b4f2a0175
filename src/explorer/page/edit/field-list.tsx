import { type Json, type JsonObject, textOf } from '../ask/json.ts';
import { referenceOf } from '../ask/references.ts';
import type { Table } from '../ask/table.ts';
import { lookOf } from '../parts/looks.ts';
import { Value } from '../parts/value.tsx';
import { Conflict } from './conflict.tsx';
import { type Draft, type Drafts, differences, draftOf, withDraft } from './draft.ts';
import { FieldInput } from './field-input.tsx';
import type { Field } from './fields.ts';
import { words } from './texts/index.ts';
import type { WriteError } from './write-error.ts';

export interface FieldListProps {
  readonly table: Table;
  readonly fields: readonly Field[];
  /** The stored record; null for a new one. */
  readonly base: JsonObject | null;
  readonly drafts: Drafts;
  readonly wrong: WriteError | null;
  /** The record before another user changed it; null as long as nobody else has. */
  readonly older: JsonObject | null;
  onDrafts(drafts: Drafts): void;
}

/** A record's fields: an input for each one that can be edited, and the value of every other one. */
export function FieldList({ table, fields, base, drafts, wrong, older, onDrafts }: FieldListProps) {
  return fields.map((field) => {
    const { name } = field.column;
    const value = base === null ? undefined : (base[name] ?? null);
    const why = value === undefined ? '' : whyFixed(field, value);
    if (why !== '') return <Fixed key={name} {...{ field, value, why }} kind={lookOf(field.column, table).kind} />;
    const draft = drafts.get(name) ?? null;
    const set = (to: Draft) => onDrafts(withDraft(drafts, field.column, value, to));
    const isOther = older !== null && base !== null && differences(older, base, [field.column]).length > 0;
    return (
      <div key={name} class="edit-one">
        <FieldInput
          {...{ field, value, draft: draft ?? draftOf(value, field.column), onDraft: set }}
          reference={referenceOf(table.references, name)}
          look={lookOf(field.column, table)}
          wrong={errorAt(wrong, name) || (isOther && draft !== null ? words.changedByOther : '')}
        />
        {isOther && value !== undefined && (
          <Conflict
            {...{ theirs: value, before: older[name] ?? null, yours: draft }}
            onTheirs={() => set(draftOf(value, field.column))}
          />
        )}
      </div>
    );
  });
}

/** A column's error message; '' for none. */
export const errorAt = (error: WriteError | null, name: string): string =>
  error?.fields.includes(name) ? error.text : '';

/** Above this many characters, a textarea becomes slow. */
const maxCharacters = 20_000;

/** Why a field of an existing record cannot be edited; '' if it can. */
function whyFixed({ isKey, isWritable }: Field, value: Json): string {
  if (isKey) return words.isKey;
  if (!isWritable) return words.isReadOnly;
  return (textOf(value) ?? '').length > maxCharacters ? words.isLong : '';
}

function Fixed({
  field: { column },
  value,
  why,
  kind,
}: {
  readonly field: Field;
  /** The name of the values' kind. */
  readonly kind: string;
  readonly value: JsonObject[string] | undefined;
  readonly why: string;
}) {
  return (
    <div class="edit-field">
      <div class="edit-head">
        <span dir="auto">{column.label}</span>
        <small>
          {kind} · {why}
        </small>
      </div>
      <p class="fixed" dir="auto">
        <Value value={value ?? null} words={[]} most={200} />
      </p>
    </div>
  );
}
