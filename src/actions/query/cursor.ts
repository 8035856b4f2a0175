/** The end of a page → the parameter for the next page, and back. */
import { LosslessNumber } from 'lossless-json';
import { invalid } from '../../model/errors.ts';
import type { Sealing } from '../../model/http.ts';
import { type Cursor, isRank, type Sort } from '../../model/plan.ts';
import type { Table } from '../../model/table.ts';
import type { BoundValue, Json, JsonObject } from '../../model/value.ts';
import { hex } from '../../values/arrays.ts';
import { isObject, parseJson } from '../../values/json.ts';

/** The end of a page, with its sort order. */
export interface End {
  readonly sort: readonly Sort[];
  readonly cursor: Cursor;
}

/**
 * `next_page` of an answer. CKAN's form is a condition on `_id`, which clients merge into `filters`. We use it if the page is sorted
 * by `_id` alone and merging overwrites no other condition. Otherwise we send an encrypted cursor, since it may have hidden values.
 * @param after whether this page was requested with the parameter `after`; then its `next_page` uses it, too
 */
export function nextPage(end: End, table: Table, filters: Json, after: boolean, sealing: Sealing): JsonObject {
  const { sort, cursor } = end;
  const [first, ...others] = sort;
  const id = table.columns.find((column) => column.label === '_id');
  const op = first?.direction === 'desc' ? 'lt' : 'gt';
  const [value] = cursor;
  const isById = others.length === 0 && first !== undefined && !isRank(first.by) && first.by.name === id?.name;
  if (isById && id.type.kind === 'int' && !after && typeof value === 'string' && isMergeable(filters, op))
    return { _id: { [op]: number(value) } };
  const visible = new Set(table.columns.map(({ name }) => name));
  const values = cursor.map((value, nth) => {
    const text = JSON.stringify(packed(value));
    const by = sort[nth]?.by;
    return by === undefined || isRank(by) || visible.has(by.name) ? text : padded(text);
  });
  return { after: sealing.seal(`[${values.join()}]`, purpose(sort, table)) };
}

/** The minimum size to which a hidden value is padded: enough for a number, a UUID or a short string. */
const minHiddenBytes = 64;

/**
 * Pads a hidden value with blanks to a power of two bytes, because the length of the sealed cursor would reveal its length. Each value is
 * padded separately: the client knows the visible ones, and could compare the cursors of several sorts.
 */
function padded(text: string): string {
  const bytes = encoder.encode(text).length;
  let size = minHiddenBytes;
  while (size < bytes) size *= 2;
  return text + ' '.repeat(size - bytes);
}
const encoder = new TextEncoder();

/** Opens a cursor that `nextPage` sealed. Throws a 409 if it was sealed for another table or sort, or with another secret. */
export function openCursor(after: string, sort: readonly Sort[], table: Table, sealing: Sealing): Cursor {
  const opened = sealing.open(after, purpose(sort, table));
  const values = opened === null ? null : parseJson(opened, 3);
  if (!Array.isArray(values)) {
    const expected = 'must be what `next_page` said for this resource and this sort';
    throw invalid({
      after: [
        `${expected}, since the gateway was started last (unless it has a server.secret): begin again without it`,
      ],
    });
  }
  return values.map(unpacked);
}

/** The text that a sealed cursor is bound to: the table, and the sort columns with their types and collations, which decide the order. */
function purpose(sort: readonly Sort[], { resource, database, schema, name }: Table): string {
  const order = sort.map(({ by, direction, nulls }) =>
    isRank(by) ? [by.label] : [by.name, by.native, by.collation, by.charset, direction, nulls],
  );
  return JSON.stringify([resource, database, schema, name, order]);
}

/** Whether a client can merge a condition on `_id` into its filters: they have none yet, or only the previous page's. */
function isMergeable(filters: Json, op: string): boolean {
  if (!isObject(filters)) return false;
  const idCondition = filters._id;
  return idCondition === undefined || (isObject(idCondition) && Object.keys(idCondition).join() === op);
}

function number(digits: string): number | LosslessNumber {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : new LosslessNumber(digits);
}

/** A value as JSON. Bytes become a list with their hex digits, to tell them from strings. */
const packed = (value: BoundValue | null): Json => (value instanceof Uint8Array ? [hex(value)] : value);

function unpacked(value: Json): BoundValue | null {
  if (Array.isArray(value)) return Uint8Array.from(Buffer.from(String(value[0]).slice(2), 'hex'));
  return typeof value === 'string' ? value : null;
}
