/** A table's columns; each column's type decides how it can be filtered. */
import { type JsonObject, list, object, text } from './json.ts';

/** Groups the API's types by which comparisons make sense and how values are shown. */
export type Kind = 'number' | 'time' | 'text' | 'bool' | 'other' | 'opaque';

export interface Column {
  readonly name: string;
  /** The display name from the data dictionary; the column's name if it has none. */
  readonly label: string;
  readonly notes: string;
  /** The values' unit, from the data dictionary; '' if it has none. */
  readonly unit: string;
  /** The type name that the API reports, such as `int4` or `timestamptz`. */
  readonly type: string;
  readonly kind: Kind;
  /** Whether a new record needs a value here, because there is no default. Only `datastore_info` tells this. */
  readonly isRequired: boolean;
}

/** Reads a response's `fields`. */
export function columnsOf(fields: JsonObject[string] | undefined): readonly Column[] {
  return list(fields).map((one) => {
    const { id, type, info, schema } = object(one);
    const { label, notes, unit } = object(info);
    const name = text(id);
    return {
      name,
      label: text(label) || name,
      notes: text(notes),
      unit: text(unit),
      type: text(type),
      kind: kindOf(text(type)),
      isRequired: object(schema).required === true,
    };
  });
}

function kindOf(type: string): Kind {
  // Matched as whole names: `interval` and `int4range` are not numbers, and `daterange` is not a time.
  if (/^(?:int|numeric|float)\d?$/.test(type)) return 'number';
  if (/^(?:date|timestamp|timestamptz)$/.test(type)) return 'time';
  if (type === 'bool' || type === 'text') return type;
  return /^(?:json|nested|bytea|_)/.test(type) ? 'other' : 'opaque';
}
