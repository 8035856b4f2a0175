/** What a form holds ↔ the values of a record. */
import type { Column } from '../ask/columns.ts';
import { type Json, type JsonObject, numberOf, parse, textOf } from '../ask/json.ts';
import type { Field } from './fields.ts';

/** `default`: the column is left out of a new record, so that the database fills it. */
export type Draft =
  | { readonly is: 'default' }
  | { readonly is: 'null' }
  | { readonly is: 'text'; readonly text: string };

/** The fields that were touched, by column. */
export type Drafts = ReadonlyMap<string, Draft>;

/** @param value undefined in a new record */
export function draftOf(value: Json | undefined, column: Column): Draft {
  if (value === undefined) return { is: 'default' };
  if (value === null) return { is: 'null' };
  return { is: 'text', text: isDocument(column) ? JSON.stringify(value, null, 2) : (textOf(value) ?? '') };
}

/** What a field holds after something was typed: only a text can be empty, so that nothing else becomes `""` by accident. */
export function typed(text: string, { column, isNullable }: Field, isNew: boolean): Draft {
  if (text !== '' || column.kind === 'text') return { is: 'text', text };
  return isNullable ? { is: 'null' } : isNew ? { is: 'default' } : { is: 'text', text };
}

/** The drafts with one more. A field that holds again what the record holds counts as not touched. */
export function withDraft(drafts: Drafts, column: Column, value: Json | undefined, draft: Draft): Drafts {
  const others = [...drafts].filter(([name]) => name !== column.name);
  return new Map(isSame(draft, draftOf(value, column)) ? others : [...others, [column.name, draft]]);
}

/** A browser's text fields know one kind of line break. Where a value has the other kind only, typed ones become that. */
export function withBreaksOf(value: Json | undefined, text: string): string {
  const isWindows = typeof value === 'string' && value.includes('\r\n') && !/(?<!\r)\n/.test(value);
  return isWindows ? text.replaceAll('\n', '\r\n') : text;
}

/**
 * The value that a text stands for, with all of its digits. A text that is no number stays one, and the gateway refuses it by the
 * name of its field. Undefined: it is no JSON, in a column of documents.
 */
export function valueFrom(text: string, { kind, type }: Column): Json | undefined {
  if (kind === 'number') return numberOf(text) ?? text;
  if (type === 'bool') return text === 'true' || text === 'false' ? text === 'true' : text;
  if (!isDocument({ kind, type })) return text;
  // An array may also be in PostgreSQL's own writing, in which `{}` is an empty one.
  if (type.startsWith('_') && /^\s*\{/.test(text)) return text;
  try {
    return parse(text);
  } catch {
    return type.startsWith('_') ? text : undefined;
  }
}

const isDocument = ({ kind, type }: Pick<Column, 'kind' | 'type'>): boolean => kind === 'other' && type !== 'bytea';

export interface Changes {
  /** The values to be written. */
  readonly values: JsonObject;
  /** The columns whose text is no JSON. */
  readonly notJson: readonly string[];
}

/**
 * What a form changes.
 * @param base the record as it is; null for a new one
 */
export function changesOf(base: JsonObject | null, drafts: Drafts, fields: readonly Field[]): Changes {
  const values: (readonly [string, Json])[] = [];
  const notJson: string[] = [];
  for (const { column } of fields) {
    const draft = drafts.get(column.name);
    if (draft === undefined || draft.is === 'default') continue;
    if (base !== null && isSame(draft, draftOf(base[column.name] ?? null, column))) continue;
    const value = draft.is === 'null' ? null : valueFrom(draft.text, column);
    if (value === undefined) notJson.push(column.name);
    else values.push([column.name, value]);
  }
  return { values: Object.fromEntries(values), notJson };
}

function isSame(one: Draft, other: Draft): boolean {
  return one.is === other.is && (one.is !== 'text' || other.is !== 'text' || one.text === other.text);
}

/** The columns in which two readings of a record differ. */
export function differences(one: JsonObject, other: JsonObject, columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ name }) => textOf(one[name] ?? null) !== textOf(other[name] ?? null));
}
