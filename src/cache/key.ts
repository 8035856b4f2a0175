import type { May } from '../model/http.ts';
import { isRank, type Read, type Where } from '../model/plan.ts';
import type { BoundValue, JsonObject } from '../model/value.ts';

/** Everything an answer depends on except the data. The counts follow in the key; permissions are checked before. */
export interface CacheQuestion {
  /** The version of settings and catalogues together; changes with either. */
  readonly version: number;
  readonly resource: string;
  readonly action: string;
  readonly language: string | null;
  /** The caller's permissions, where the answer tells them. */
  readonly may: May | null;
  /** The parameters as received. */
  readonly params: JsonObject;
}

/**
 * Pure. The key of a request: JSON with sorted parameters, so that their order does not matter.
 * @param toJson must write every digit
 */
export function keyOf(asked: CacheQuestion, toJson: (value: JsonObject) => string): string {
  const { params, may, ...others } = asked;
  const sorted = Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return toJson({ may: may && { ...may }, params: sorted, ...others });
}

/** Pure. The name of what a search counts: its pages, in whatever order, have one total. */
export function totalKeyOf({ table, where, searches, distinct, columns }: Read): string {
  const sought = searches.map(({ column, query, by, language }) => [column?.name ?? null, query, by, language]);
  const shown = distinct ? columns.map((one) => (isRank(one) ? null : one.name)) : null;
  return JSON.stringify([table.resource, named(where), sought, shown]);
}

/** A condition with its columns by their names. */
function named(where: Where): unknown {
  switch (where.op) {
    case 'all':
    case 'any':
      return [where.op, where.of.map(named)];
    case 'not':
      return [where.op, named(where.of)];
    case 'in':
      return [where.op, where.column.name, where.values.map(text)];
    case 'null':
      return [where.op, where.column.name];
    case 'like':
      return [where.op, where.column.name, where.pattern, where.folds];
    default:
      return [where.op, where.column.name, text(where.value)];
  }
}

/** Bytes and texts of one column are never the same value. */
const text = (value: BoundValue): unknown =>
  typeof value === 'string' ? value : [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')];
