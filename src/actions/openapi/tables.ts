/** Pure. A table → the schemas of its records and filters. They are closed: other names are refused or never shown. */
import type { Column, Table } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import { steps } from '../../values/calendar-edges.ts';
import { canGroup, canRange, leastBins, mostRanges, timeKind } from '../aggregate/ranges.ts';
import { compared, orNull, shown, written } from './values.ts';

/** `{ type: object }` with these members and no other. */
export function closed(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** A record in an answer: any of the columns, because `fields` selects. A full-text search adds its ranks. */
export function record(table: Table): JsonObject {
  const columns = Object.fromEntries(
    table.columns.map((column) => [column.label, described(column.info, shown(column))]),
  );
  return { ...closed(columns), patternProperties: { '^rank( |$)': { type: 'number' } } };
}

/** A record in a write: the writable columns, and those of the key. A read-only key finds a record, and no write changes it. */
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

/** @param self the reference to this schema: conditions contain conditions */
export function filters(table: Table, self: JsonObject): JsonObject {
  const columns = table.columns.flatMap((column) => {
    const value = compared(column);
    // A filter on a column called `$or` is written `$$or`.
    const name = column.label.replace(/^\$/, '$$$$');
    return value === null ? [] : [[name, condition(value, column.type.kind === 'text')] as const];
  });
  const some = { type: 'array', items: self, minItems: 1, maxItems: 9 };
  return closed({ ...Object.fromEntries(columns), $or: some, $and: some });
}

function condition(value: JsonObject, isText: boolean): JsonObject {
  const one = orNull(value);
  const many = { type: 'array', items: one, maxItems: 99 };
  const ordered = { gt: value, gte: value, lt: value, lte: value };
  const like = isText ? { like: { type: 'string' }, ilike: { type: 'string' } } : {};
  const operations = closed({ eq: one, in: many, ...ordered, ne: one, nin: many, ...like, null: { type: 'boolean' } });
  return { anyOf: [one, many, { ...operations, minProperties: 1 }] };
}

/** Adds the data dictionary's texts for a column, where it has any. */
function described(info: JsonObject | null, schema: JsonObject): JsonObject {
  const { label, notes } = info ?? {};
  return {
    ...(typeof label === 'string' ? { title: label } : {}),
    ...(typeof notes === 'string' ? { description: notes } : {}),
    ...schema,
  };
}

/** The columns by which records can be counted in groups, by value or in ranges. */
export function groups(table: Table): readonly JsonObject[] {
  const names = (is: (column: Column) => boolean): JsonObject => ({
    enum: table.columns.filter(is).map(({ label }) => label),
  });
  const ranges = (is: (column: Column) => boolean, size: JsonObject): readonly JsonObject[] =>
    table.columns.some(is) ? [closed({ field: names(is), ...size }, ['field', ...Object.keys(size)])] : [];
  return [
    names(canGroup),
    closed({ field: names(canGroup) }, ['field']),
    ...ranges(canRange, { bins: { type: 'integer', minimum: leastBins, maximum: mostRanges } }),
    ...ranges((column) => timeKind(column) !== null, { every: { enum: steps } }),
  ];
}
