/** Pure. A table → the schemas of its records and filters. They forbid unknown names, because the gateway refuses them. */
import type { Column, Table } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import { steps } from '../../values/calendar-edges.ts';
import { canGroup, canRange, maxRanges, minRanges, timeKind } from '../aggregate/ranges.ts';
import { compared, orNull, shown, written } from './values.ts';

/** The schema of an object with these members and no others. */
export function closed(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** A record in an answer. No column is required, because `fields` selects some. A full-text search adds its ranks. */
export function record(table: Table): JsonObject {
  const columns = Object.fromEntries(
    table.columns.map((column) => [column.label, described(column.info, shown(column))]),
  );
  return { ...closed(columns), patternProperties: { '^rank( |$)': { type: 'number' } } };
}

/** A record in a write: the writable columns and the key. A read-only key column identifies the record, and is not written. */
export function writtenRecord(table: Table): JsonObject {
  const columns = table.columns.filter(
    ({ readOnly, name }) => !readOnly || table.key.some((part) => part.name === name),
  );
  const described = (column: Column): JsonObject => ({
    ...written(column),
    ...(column.readOnly ? { readOnly: true } : {}),
  });
  return closed(Object.fromEntries(columns.map((column) => [column.label, described(column)])));
}

/** The schema of `filters`. @param self the reference to this schema itself, because `$or` and `$and` contain filters */
export function filters(table: Table, self: JsonObject): JsonObject {
  const columns = table.columns.flatMap((column) => {
    const value = compared(column);
    // A filter on a column called `$or` is written `$$or`.
    const name = column.label.replace(/^\$/, '$$$$');
    return value === null ? [] : [[name, condition(value, column.type.kind === 'text')] as const];
  });
  const list = { type: 'array', items: self, minItems: 1, maxItems: 9 };
  return closed({ ...Object.fromEntries(columns), $or: list, $and: list });
}

function condition(value: JsonObject, isText: boolean): JsonObject {
  const one = orNull(value);
  const many = { type: 'array', items: one, maxItems: 99 };
  const ordered = { gt: value, gte: value, lt: value, lte: value };
  const like = isText ? { like: { type: 'string' }, ilike: { type: 'string' } } : {};
  const operations = closed({ eq: one, in: many, ...ordered, ne: one, nin: many, ...like, null: { type: 'boolean' } });
  return { anyOf: [one, many, { ...operations, minProperties: 1 }] };
}

/** Adds the label and notes that the data dictionary has for a column. */
function described(info: JsonObject | null, schema: JsonObject): JsonObject {
  const { label, notes } = info ?? {};
  return {
    ...(typeof label === 'string' ? { title: label } : {}),
    ...(typeof notes === 'string' ? { description: notes } : {}),
    ...schema,
  };
}

/** The schemas of `by`: the columns that can be grouped by value, and those with numeric or calendar ranges. */
export function groups(table: Table): readonly JsonObject[] {
  const names = (is: (column: Column) => boolean): JsonObject => ({
    enum: table.columns.filter(is).map(({ label }) => label),
  });
  const ranges = (is: (column: Column) => boolean, size: JsonObject): readonly JsonObject[] =>
    table.columns.some(is) ? [closed({ field: names(is), ...size }, ['field', ...Object.keys(size)])] : [];
  return [
    names(canGroup),
    closed({ field: names(canGroup) }, ['field']),
    ...ranges(canRange, { bins: { type: 'integer', minimum: minRanges, maximum: maxRanges } }),
    ...ranges((column) => timeKind(column) !== null, { every: { enum: steps } }),
  ];
}
