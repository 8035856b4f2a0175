/** Where a page ended → what a client sends to have the next one, and back (design part 6, Paging). */
import { LosslessNumber } from 'lossless-json';
import { invalid } from '../../model/errors.ts';
import type { Sealing } from '../../model/http.ts';
import { isRank, type Place, type Sort } from '../../model/plan.ts';
import type { Table } from '../../model/table.ts';
import type { Bound, Json, JsonObject } from '../../model/value.ts';
import { hex } from '../../values/arrays.ts';
import { isObject, parseJson } from '../../values/json.ts';

/** Where a page ended, in the order it was read in. */
export interface End {
  readonly sort: readonly Sort[];
  readonly place: Place;
}

/**
 * `next_page`: CKAN's own form, a condition on `_id` that its clients merge into `filters`, where the order is that of `_id`
 * and the merge loses no other condition; else the place, sealed, because it may hold values that are not to be seen.
 * @param after whether this page was itself asked for by `after`: who pages that way is answered that way
 */
export function nextPage(end: End, table: Table, filters: Json, after: boolean, sealing: Sealing): JsonObject {
  const { sort, place } = end;
  const [first, ...others] = sort;
  const id = table.columns.find((column) => column.label === '_id');
  const op = first?.direction === 'desc' ? 'lt' : 'gt';
  const [value] = place;
  const isById = others.length === 0 && first !== undefined && !isRank(first.by) && first.by.name === id?.name;
  if (isById && id.type.kind === 'int' && !after && typeof value === 'string' && isMergeable(filters, op))
    return { _id: { [op]: number(value) } };
  const visible = new Set(table.columns.map(({ name }) => name));
  const values = place.map((value, nth) => {
    const text = JSON.stringify(packed(value));
    const by = sort[nth]?.by;
    return by === undefined || isRank(by) || visible.has(by.name) ? text : padded(text);
  });
  return { after: sealing.seal(`[${values.join()}]`, purpose(sort, table)) };
}

/** Bytes of a hidden value at least: a number, a UUID or a short text. */
const leastHidden = 64;

/**
 * A seal is as long as the text in it. So a hidden value is filled up with blanks to a power of two, each by itself: the values
 * beside it are known, and of several sorts the lengths of the seals could be compared.
 */
function padded(text: string): string {
  const bytes = encoder.encode(text).length;
  let size = leastHidden;
  while (size < bytes) size *= 2;
  return text + ' '.repeat(size - bytes);
}
const encoder = new TextEncoder();

/** Opens what `nextPage` sealed. Throws a 409 where it belongs to another search, another key, or is nothing of ours. */
export function placeOf(after: string, sort: readonly Sort[], table: Table, sealing: Sealing): Place {
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

/** A column that is of another type or collation by now has another order. */
function purpose(sort: readonly Sort[], { resource, database, schema, name }: Table): string {
  const order = sort.map(({ by, direction, nulls }) =>
    isRank(by) ? [by.label] : [by.name, by.native, by.collation, by.charset, direction, nulls],
  );
  return JSON.stringify([resource, database, schema, name, order]);
}

/** A condition on `_id` would be replaced: that is right only for the one that the page before gave. */
function isMergeable(filters: Json, op: string): boolean {
  if (!isObject(filters)) return false;
  const given = filters._id;
  return given === undefined || (isObject(given) && Object.keys(given).join() === op);
}

function number(digits: string): number | LosslessNumber {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : new LosslessNumber(digits);
}

/** Bytes stand in a list, so that no text is taken for them. */
const packed = (value: Bound | null): Json => (value instanceof Uint8Array ? [hex(value)] : value);

function unpacked(value: Json): Bound | null {
  if (Array.isArray(value)) return Uint8Array.from(Buffer.from(String(value[0]).slice(2), 'hex'));
  return typeof value === 'string' ? value : null;
}
