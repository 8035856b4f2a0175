/** Pure. Compares two answers of `datastore_search` to the same call by what they mean, not by how they are written. */
import type { DifferenceKind } from '../model/events.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, isObject } from '../values/json.ts';
import type { Steps } from '../values/slices.ts';
import { canonical, type Reading, readingOf } from './shadow-values.ts';

/** A difference, without the values. `columns`: the differing ones; empty if the difference is not about columns. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly columns: readonly string[];
}

/** How the records are sorted and identified, by names of the API. */
export interface Comparison {
  /** The columns in `sort`, in order. */
  readonly sort: readonly string[];
  /** The columns that identify a record. */
  readonly key: readonly string[];
}

/** A record, cut to the columns that both answers have. */
interface Row {
  /** In one spelling for all values that mean the same. */
  readonly values: readonly (string | null)[];
  /** The values as one text, which equal rows share. */
  readonly text: string;
}

/** After so many rows, other calls may run. */
const rowsPerStep = 100;

/**
 * The differences between two answers' `result`. `_id` and ranks are not compared, because CKAN numbers its own table's records, and ranks
 * words by its own formula.
 */
export function* differencesOf(ours: JsonObject, theirs: JsonObject, call: Comparison): Steps<readonly Difference[]> {
  const [own, other] = [fieldsOf(ours), fieldsOf(theirs)];
  const missing = [...own.keys()].filter((name) => !other.has(name));
  const added = [...other.keys()].filter((name) => !own.has(name));
  const columns = [...own].flatMap(([name, type]): Column[] => {
    const otherType = other.get(name);
    return otherType === undefined ? [] : [{ name, ...readingOf(type, otherType) }];
  });
  const mistyped = columns.filter(({ isSameType }) => !isSameType).map(({ name }) => name);
  const left = yield* rowsOf(ours, columns);
  const right = yield* rowsOf(theirs, columns);
  yield;
  return [
    ...differs('fields', [...missing, ...added]),
    ...differs('types', mistyped),
    ...(haveSameTotal(ours, theirs) ? [] : [{ kind: 'total', columns: [] } as const]),
    ...rowDifferences(left, right, columns, call, isWhole(ours, left) && isWhole(theirs, right)),
  ];
}

interface Column {
  readonly name: string;
  readonly reading: Reading;
  readonly isSameType: boolean;
}

const differs = (kind: DifferenceKind, columns: readonly string[]): readonly Difference[] =>
  columns.length === 0 ? [] : [{ kind, columns }];

/** An answer's columns that are compared, with their types. */
function fieldsOf(result: JsonObject): ReadonlyMap<string, string> {
  const hasRanks = result.q !== undefined || result.full_text !== undefined;
  const names = listOf(result.fields).flatMap((field) =>
    isObject(field) && typeof field.id === 'string' ? [[field.id, String(field.type)] as const] : [],
  );
  return new Map(names.filter(([name]) => name !== '_id' && !(hasRanks && /^rank(?: |$)/.test(name))));
}

const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);

/** An estimate never differs, nor does a total that the call did not ask for. */
function haveSameTotal(ours: JsonObject, theirs: JsonObject): boolean {
  if (ours.total_was_estimated === true || theirs.total_was_estimated === true) return true;
  return ours.total === undefined || theirs.total === undefined || String(ours.total) === String(theirs.total);
}

/** Whether the page has all matching records. If not, the order of the table may decide which ones it has. */
const isWhole = ({ limit, offset = 0 }: JsonObject, { length }: readonly Row[]): boolean =>
  Number(offset) === 0 && length < Number(limit);

function* rowsOf(result: JsonObject, columns: readonly Column[]): Steps<readonly Row[]> {
  const places = listOf(result.fields).map((field) => (isObject(field) ? field.id : null));
  const rows: Row[] = [];
  for (const record of listOf(result.records)) {
    const values = columns.map(({ name, reading }) => {
      const value = isObject(record) ? record[name] : isList(record) ? record[places.indexOf(name)] : null;
      return canonical(value ?? null, reading);
    });
    rows.push({ values, text: JSON.stringify(values) });
    if (rows.length % rowsPerStep === 0) yield;
  }
  return rows;
}

function rowDifferences(
  left: readonly Row[],
  right: readonly Row[],
  columns: readonly Column[],
  { sort, key }: Comparison,
  areWhole: boolean,
): readonly Difference[] {
  const names = columns.map(({ name }) => name);
  // Behind a sorted column that is not shown, rows may come in any order.
  const hidden = sort.findIndex((name) => !names.includes(name));
  const shown = hidden < 0 ? sort : sort.slice(0, hidden);
  const isSameOrder = left.length === right.length && sameIn(left, right, placesOf(shown, names));
  const [ours, theirs] = [without(left, right), without(right, left)];
  if (ours.length + theirs.length === 0) return isSameOrder ? [] : [{ kind: 'order', columns: shown }];
  const keyPlaces = placesOf(key, names);
  const { pairs, unpaired } = paired(ours, theirs, keyPlaces.includes(-1) ? [] : keyPlaces);
  const differing = (isNullOnly: boolean) =>
    names.filter((_, at) =>
      pairs.some(
        ([{ values: a }, { values: b }]) => a[at] !== b[at] && (a[at] === null || b[at] === null) === isNullOnly,
      ),
    );
  // If the page is cut and `sort` has ties, both sides may be right with different records.
  const kind = !areWhole && isSameOrder ? 'page' : 'records';
  return [
    ...(unpaired > 0 ? [{ kind, columns: [] } as const] : []),
    ...differs('values', differing(false)),
    ...differs('nulls', differing(true)),
  ];
}

const placesOf = (some: readonly string[], names: readonly string[]) => some.map((name) => names.indexOf(name));

/** Whether both lists have the same values in these columns, row by row. */
const sameIn = (left: readonly Row[], right: readonly Row[], places: readonly number[]): boolean =>
  left.every(({ values }, row) => places.every((at) => values[at] === right[row]?.values[at]));

/** The rows that `others` lacks. Two equal rows need two equal ones there. */
function without(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
  const counts = new Map<string, number>();
  for (const { text } of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return rows.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

/** Pairs the rows that are the same record. @param key the positions of the columns that identify a record; none if they are unknown */
function paired(ours: readonly Row[], theirs: readonly Row[], key: readonly number[]) {
  const nameOf = ({ values }: Row) => JSON.stringify(key.map((at) => values[at]));
  const byKey = new Map(key.length === 0 ? [] : theirs.map((row) => [nameOf(row), row]));
  const pairs = ours.flatMap((row): (readonly [Row, Row])[] => {
    const other = byKey.get(nameOf(row));
    return other === undefined ? [] : [[row, other]];
  });
  return { pairs, unpaired: ours.length + theirs.length - 2 * pairs.length };
}
