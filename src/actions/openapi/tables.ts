/** Pure. A table → the schemas of its records and filters. They forbid unknown names, because the gateway refuses them. */
import { steps } from '../../model/question.ts';
import type { Column, Table } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import { functions, maxMeasures, maxName } from '../aggregate/measure-parameters.ts';
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

/** The schemas of groups of some columns: none if the table has no such column. */
const groupsOf = (
  { columns }: Table,
  is: (column: Column) => boolean,
  more: JsonObject,
  required: readonly string[],
) => (columns.some(is) ? [closed({ field: labels(columns, is), ...more }, ['field', ...required])] : []);

const labels = (columns: readonly Column[], is: (column: Column) => boolean): JsonObject => ({
  enum: columns.filter(is).map(({ label }) => label),
});

const hasCalendar = (column: Column): boolean => timeKind(column) !== null;

/** The schemas of `by`: the columns that can be grouped by value, and those with numeric or calendar ranges. */
export const groups = (table: Table): readonly JsonObject[] => [
  labels(table.columns, canGroup),
  closed({ field: labels(table.columns, canGroup) }, ['field']),
  ...groupsOf(table, canRange, { bins: { type: 'integer', minimum: minRanges, maximum: maxRanges } }, ['bins']),
  ...groupsOf(table, hasCalendar, { every: { enum: steps } }, ['every']),
];

/** The schemas of one group in the parameter `groups`. */
export function measureGroups(table: Table): readonly JsonObject[] {
  const as = { type: 'string', minLength: 1, maxLength: maxName };
  const isExact = ({ type: { kind } }: Column) => kind === 'int' || kind === 'decimal';
  return [
    labels(table.columns, canGroup),
    closed({ field: labels(table.columns, canGroup), as }, ['field']),
    ...groupsOf(table, hasCalendar, { every: { enum: steps }, as }, ['every']),
    ...groupsOf(table, isExact, { width: { type: 'integer', minimum: 1, maximum: 1_000_000 }, as }, ['width']),
  ];
}

/** The schema of `measures`. @param filters the schema of a measure's filters */
export function measures(columns: readonly Column[], filters: JsonObject): JsonObject {
  const kinds: JsonObject[] = functions.map((fn) => closed({ [fn]: labels(columns, () => true), filters }, [fn]));
  return {
    ...{ type: 'object', minProperties: 1, maxProperties: maxMeasures },
    propertyNames: { minLength: 1, maxLength: maxName },
    additionalProperties: { anyOf: [{ const: 'count' }, ...kinds] },
  };
}
