/** Converts between the text in a form and the values of a record. */
import type { Column } from '../ask/columns.ts';
import { type Json, type JsonObject, numberOf, parse, textOf } from '../ask/json.ts';
import type { Field } from './fields.ts';

/** `default` leaves the column out of a new record, so that the database fills it. */
export type Draft =
  | { readonly is: 'default' }
  | { readonly is: 'null' }
  | { readonly is: 'text'; readonly text: string }
  /** A text that cannot be the column's value, such as a number that can be read in two ways. */
  | { readonly is: 'unreadable'; readonly typed: string; readonly why: string };

/** The edited fields' drafts, by column name. */
export type Drafts = ReadonlyMap<string, Draft>;

/** The draft that shows a stored value. @param value undefined in a new record */
export function draftOf(value: Json | undefined, column: Column): Draft {
  if (value === undefined) return { is: 'default' };
  if (value === null) return { is: 'null' };
  return { is: 'text', text: isDocument(column) ? JSON.stringify(value, null, 2) : (textOf(value) ?? '') };
}

/** What an emptied field holds: NULL if the column allows it; in a new record the default, unless the column holds text; else ''. */
export function emptyDraft({ column, isNullable }: Field, isNew: boolean): Draft {
  if (isNullable) return { is: 'null' };
  return isNew && column.kind !== 'text' ? { is: 'default' } : { is: 'text', text: '' };
}

/** Adds or replaces one draft. A field that has its stored value again no longer counts as edited. */
export function withDraft(drafts: Drafts, column: Column, value: Json | undefined, draft: Draft): Drafts {
  const others = [...drafts].filter(([name]) => name !== column.name);
  return new Map(isSame(draft, draftOf(value, column)) ? others : [...others, [column.name, draft]]);
}

/** A browser's textarea turns every line break into `\n`. If the stored value uses only `\r\n`, we convert back. */
export function withBreaksOf(value: Json | undefined, text: string): string {
  const isWindows = typeof value === 'string' && value.includes('\r\n') && !/(?<!\r)\n/.test(value);
  return isWindows ? text.replaceAll('\n', '\r\n') : text;
}

/**
 * Parses a field's text, with all digits of a number. A text that is not a number is sent as it is, so that the gateway's refusal names the
 * field.
 * @returns undefined if the column holds JSON and the text is not JSON
 */
export function valueFrom(text: string, { kind, type }: Column): Json | undefined {
  if (kind === 'number') return numberOf(text) ?? text;
  if (type === 'bool') return text === 'true' || text === 'false' ? text === 'true' : text;
  if (!isDocument({ kind, type })) return text;
  // PostgreSQL's own array syntax is accepted too; there `{}` is an empty array, not a JSON object.
  if (type.startsWith('_') && /^\s*\{/.test(text)) return text;
  try {
    return parse(text);
  } catch {
    return type.startsWith('_') ? text : undefined;
  }
}

const isDocument = ({ kind, type }: Pick<Column, 'kind' | 'type'>): boolean => kind === 'other' && type !== 'bytea';

export interface Changes {
  /** The values to write, by column name. */
  readonly values: JsonObject;
  /** Names of the JSON columns whose text does not parse. */
  readonly notJson: readonly string[];
  /** Names of the columns whose text cannot be read. */
  readonly unreadable: readonly string[];
  /** Names of the required columns that a new record leaves empty. */
  readonly missing: readonly string[];
}

/**
 * What the form would change.
 * @param base the record before the edit; null for a new one
 */
export function changesOf(base: JsonObject | null, drafts: Drafts, fields: readonly Field[]): Changes {
  const values: (readonly [string, Json])[] = [];
  const notJson: string[] = [];
  const unreadable: string[] = [];
  const missing = base === null ? fields.filter((one) => isMissing(one, drafts)).map(({ column }) => column.name) : [];
  for (const { column } of fields) {
    const draft = drafts.get(column.name);
    if (draft === undefined || draft.is === 'default') continue;
    if (base !== null && isSame(draft, draftOf(base[column.name] ?? null, column))) continue;
    if (draft.is === 'unreadable') {
      unreadable.push(column.name);
      continue;
    }
    const value = draft.is === 'null' ? null : valueFrom(draft.text, column);
    if (value === undefined) notJson.push(column.name);
    else values.push([column.name, value]);
  }
  return { values: Object.fromEntries(values), notJson, unreadable, missing };
}

/** Whether a required field is empty, and no default fills it. */
function isMissing({ column: { name, isRequired } }: Field, drafts: Drafts): boolean {
  const { is = 'default' } = drafts.get(name) ?? {};
  return isRequired && (is === 'default' || is === 'null');
}

export function isSame(one: Draft, other: Draft): boolean {
  return one.is === other.is && (one.is !== 'text' || other.is !== 'text' || one.text === other.text);
}

/** The columns whose values differ between two versions of a record. */
export function differences(one: JsonObject, other: JsonObject, columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ name }) => textOf(one[name] ?? null) !== textOf(other[name] ?? null));
}
