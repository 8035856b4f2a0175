/** The end of a page → the parameter for the next page, and back (docs/data-types.md). */
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
 * `next_page`. CKAN's own form is a condition on `_id` that its clients merge into `filters`. It is used where the order is
 * that of `_id` and the merge loses no other condition. Otherwise the cursor is sealed, because it may contain hidden values.
 * @param after whether this page was requested with `after`: then so is the next
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

/** Least bytes of a padded hidden value: a number, a UUID or a short text. */
const leastHidden = 64;

/**
 * A seal is as long as its text, so hidden values are padded with blanks to a power of two. Each is padded by itself. The
 * values beside it are known, and a client could compare the lengths of seals for several sorts.
 */
function padded(text: string): string {
  const bytes = encoder.encode(text).length;
  let size = leastHidden;
  while (size < bytes) size *= 2;
  return text + ' '.repeat(size - bytes);
}
const encoder = new TextEncoder();

/** Opens a cursor sealed by `nextPage`. Throws a 409 if it belongs to another search or another key, or was not sealed here. */
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

/** Includes type and collation: when they change, the order changes, too. */
function purpose(sort: readonly Sort[], { resource, database, schema, name }: Table): string {
  const order = sort.map(({ by, direction, nulls }) =>
    isRank(by) ? [by.label] : [by.name, by.native, by.collation, by.charset, direction, nulls],
  );
  return JSON.stringify([resource, database, schema, name, order]);
}

/** The merge replaces a condition on `_id`: that is right only for the condition of the page before. */
function isMergeable(filters: Json, op: string): boolean {
  if (!isObject(filters)) return false;
  const given = filters._id;
  return given === undefined || (isObject(given) && Object.keys(given).join() === op);
}

function number(digits: string): number | LosslessNumber {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : new LosslessNumber(digits);
}

/** Bytes are wrapped in a list, to distinguish them from texts. */
const packed = (value: BoundValue | null): Json => (value instanceof Uint8Array ? [hex(value)] : value);

function unpacked(value: Json): BoundValue | null {
  if (Array.isArray(value)) return Uint8Array.from(Buffer.from(String(value[0]).slice(2), 'hex'));
  return typeof value === 'string' ? value : null;
}
