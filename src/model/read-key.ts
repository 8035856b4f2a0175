/** Cache keys for reads: equal for reads with the same result. Pure. */
import { isRank, type Read, type Search, type Shown, type Where } from './plan.ts';
import type { Expr, Question } from './question.ts';
import type { BoundValue } from './value.ts';

/** The key of a search's total, which is the same for all of its pages and sort orders. */
export function totalKeyOf({ table, where, searches, distinct, columns }: Read): string {
  const shown = distinct ? columns.map((one) => (isRank(one) ? null : one.name)) : null;
  return JSON.stringify([table.resource, conditionKey(where), searches.map(searchKey), shown]);
}

const searchKey = ({ column, query, by, language, ranksAlone }: Search): unknown => [
  column?.name ?? null,
  query,
  by,
  language,
  ranksAlone,
];

/** The key of a question's groups, which is the same for every condition on the groups, sort order and page. */
export const questionKeyOf = (question: Question): string =>
  JSON.stringify(question.from.is === 'query' ? question.from.of : question, keyPart);

/** Equal for expressions that have the same value. */
export const expressionKey = (e: Expr): string => JSON.stringify(e, keyPart);

/** A part of a question as its key has it: with names in place of tables, columns and types. */
function keyPart(member: string, part: unknown): unknown {
  if (part instanceof Uint8Array) return valueKey(part);
  if (typeof part !== 'object' || part === null) return part;
  // The digits of `round(x, 2)` and of `CAST(x AS numeric(8, 3))` are only in their types.
  if (member === 'type') return 'kind' in part ? [part.kind, 'scale' in part ? part.scale : null] : null;
  if ('resultType' in part && 'name' in part) return ['column', 'source' in part ? part.source : null, part.name];
  return 'resource' in part && 'columns' in part ? ['table', part.resource] : part;
}

/** A read with more values gets no key: the key of ten thousand takes a millisecond, and such a read is hardly ever repeated. */
const maxValues = 100;

/** The key of a search: two searches with the same key differ in `limit` and `offset` at most. Null for a search with many values. */
export function readKeyOf(read: Read): string | null {
  if (valuesIn(read.where) > maxValues) return null;
  const { columns, sort, breaksTies, after, distinct, withCursor } = read;
  const order = sort.map(({ by, direction, nulls }) => [nameOf(by), direction, nulls]);
  const cursor = after?.map((value) => (value === null ? null : valueKey(value))) ?? null;
  return JSON.stringify([totalKeyOf(read), columns.map(nameOf), order, breaksTies, cursor, distinct, withCursor]);
}

function valuesIn(where: Where): number {
  if (where.op === 'all' || where.op === 'any') return where.of.reduce((sum, part) => sum + valuesIn(part), 0);
  return where.op === 'not' ? valuesIn(where.of) : where.op === 'in' ? where.values.length : 1;
}

/** The name of a column, or an array for a rank: so no column can have the same key as a rank. */
const nameOf = (shown: Shown): unknown => (isRank(shown) ? [shown.label] : shown.name);

/** A condition as JSON, with names in place of columns. */
function conditionKey(where: Where): unknown {
  switch (where.op) {
    case 'all':
    case 'any':
      return [where.op, where.of.map(conditionKey)];
    case 'not':
      return [where.op, conditionKey(where.of)];
    case 'in':
      return [where.op, where.column.name, where.values.map(valueKey)];
    case 'null':
      return [where.op, where.column.name];
    case 'like':
      return [where.op, where.column.name, where.pattern, where.folds];
    default:
      return [where.op, where.column.name, valueKey(where.value)];
  }
}

/** A value as JSON. Bytes are an array, so that they never equal a text. */
const valueKey = (value: BoundValue): unknown =>
  typeof value === 'string' ? value : [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')];
