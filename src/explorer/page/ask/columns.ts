/** The columns of a table, and what can be asked of each by its type. */
import { type JsonObject, list, object, text } from './json.ts';

/** What a type can be compared with, and how it looks. */
export type Kind = 'number' | 'time' | 'text' | 'bool' | 'other' | 'opaque';

export interface Column {
  readonly name: string;
  /** The name for people. */
  readonly label: string;
  readonly notes: string;
  /** The type as the API names it. */
  readonly type: string;
  readonly kind: Kind;
}

/** Reads `fields` of an answer. */
export function columnsOf(fields: JsonObject[string] | undefined): readonly Column[] {
  return list(fields).map((one) => {
    const { id, type, info } = object(one);
    const { label, notes } = object(info);
    const name = text(id);
    return { name, label: text(label) || name, notes: text(notes), type: text(type), kind: kindOf(text(type)) };
  });
}

function kindOf(type: string): Kind {
  // Whole names: an interval and an int4range are no numbers, and a daterange is no time.
  if (/^(?:int|numeric|float)\d?$/.test(type)) return 'number';
  if (/^(?:date|timestamp|timestamptz)$/.test(type)) return 'time';
  if (type === 'bool' || type === 'text') return type;
  return /^(?:json|nested|bytea|_)/.test(type) ? 'other' : 'opaque';
}
