/** Converts pasted rows into a call's records. */
import type { Column } from '../../ask/columns.ts';
import { isList, type Json, type JsonObject } from '../../ask/json.ts';
import type { Field } from '../fields.ts';
import type { CallLimits, Pasted, PastedRow } from './read.ts';
import { Unreadable } from './unreadable.ts';

/** How the pasted names map to columns. */
export interface Mapping {
  /** Each name's column; null if the name is skipped. */
  readonly fields: readonly (Field | null)[];
  /** Names that match no column. */
  readonly unknown: readonly string[];
  /** Names of columns that cannot be written, such as a download's `_id`. */
  readonly readOnly: readonly string[];
}

/**
 * Matches each name with a column: by name, by label, or by either case-insensitively; then again without surrounding blanks. A name that
 * fits two columns matches none. Throws Unreadable if two names match the same column.
 */
export function mappingOf(names: readonly string[], fields: readonly Field[]): Mapping {
  const [byName, byLabel, byEither] = [
    uniqueNames(fields, ({ name }) => [name]),
    uniqueNames(fields, ({ label }) => [label]),
    uniqueNames(fields, ({ name, label }) => [name.toLowerCase(), label.toLowerCase()]),
  ];
  const find = (name: string) => byName.get(name) ?? byLabel.get(name) ?? byEither.get(name.toLowerCase());
  const matches = names.map((name) => find(name) ?? find(name.trim()) ?? undefined);
  const seen = new Set<Field>();
  for (const field of matches) {
    if (field !== undefined && seen.has(field)) throw new Unreadable({ is: 'twice', name: field.column.name });
    if (field !== undefined) seen.add(field);
  }
  // Searches and downloads return the key as an additional `_id`.
  const isFixed = (nth: number) =>
    matches[nth]?.isWritable === false || (matches[nth] === undefined && names[nth]?.trim() === '_id');
  return {
    fields: matches.map((field) => (field?.isWritable === true ? field : null)),
    unknown: names.filter((_, nth) => matches[nth] === undefined && !isFixed(nth)),
    readOnly: names.filter((_, nth) => isFixed(nth)),
  };
}

/** Fields by one of their names; null if two fields share it. */
function uniqueNames(
  fields: readonly Field[],
  of: (column: Column) => readonly string[],
): ReadonlyMap<string, Field | null> {
  const byName = new Map<string, Field | null>();
  for (const field of fields)
    for (const name of new Set(of(field.column))) byName.set(name, byName.has(name) ? null : field);
  return byName;
}

/** How to store an empty CSV cell: as NULL, or not at all, so that the column keeps its value or takes its default. */
export const empties = ['null', 'default'] as const;
export type Empty = (typeof empties)[number];

/** Reads a cell that is not empty: returns its value, or a sentence about what is wrong. */
export type ReadCell = (text: string, column: Column) => { readonly value: Json } | { readonly why: string };

/** A row as a record, for the preview. */
export function shownRow(row: PastedRow, names: readonly string[], { fields }: Mapping): JsonObject {
  const members = fields.flatMap((field, nth) => {
    const value = valueAt(row, nth, names);
    return field === null || value === undefined ? [] : [[field.column.name, value] as const];
  });
  return Object.fromEntries(members);
}

function valueAt(row: PastedRow, nth: number, names: readonly string[]): Json | undefined {
  if (isList(row)) return row[nth];
  const name = names[nth] ?? '';
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/**
 * Yields while it converts rows, and returns the JSON of each record, with all digits.
 * @throws Unreadable
 */
export function* writtenRecords(
  { names, rows }: Pasted,
  mapping: Mapping,
  empty: Empty,
  most: CallLimits,
  read: ReadCell,
): Generator<void, readonly string[]> {
  const written = mapping.fields.flatMap((field, nth) => (field === null ? [] : [{ nth, column: field.column }]));
  const records: string[] = [];
  let length = 0;
  for (const [row, given] of rows.entries()) {
    const members: (readonly [string, Json])[] = [];
    for (const { nth, column } of written) {
      const value = valueAt(given, nth, names);
      if (value === undefined || (value === null && isList(given) && empty === 'default')) continue;
      const cell = isList(given) && typeof value === 'string' ? read(value, column) : { value };
      if ('why' in cell) throw new Unreadable({ is: 'wrongCell', row, name: column.name, why: cell.why });
      members.push([column.name, cell.value]);
    }
    const record = JSON.stringify(Object.fromEntries(members));
    length += record.length + 1;
    if (length > most.bytes) throw new Unreadable({ is: 'tooLarge', most: most.bytes });
    records.push(record);
    yield;
  }
  return records;
}
