import { isDigits, isList, isMembers, type Members, type Sent, write } from '../sent.ts';
import type { Table } from '../table.ts';
import { type Expected, marker, type Params, Refused, succeeds, together } from './answer.ts';
import { cellOf, matcher, type Row } from './filters.ts';
import { bare, type Named, named, nameList, visible } from './names.ts';
import { shown, typeName } from './show.ts';
import { promised, sorted, sortKey } from './sort.ts';
import { type Question, questions, textOfQ } from './words.ts';

/** Answers `datastore_search` from rows in an array. */
export function search(table: Table, rows: readonly Row[], params: Params): Expected {
  const read = together({
    limit: () => count('limit', params.limit) ?? 100,
    offset: () => count('offset', params.offset),
    fields: () => nameList('fields', params.fields),
    sort: () => nameList('sort', params.sort) ?? [],
    filters: () => filtersOf(params.filters),
  });
  const fits = read.filters === null ? () => true : matcher(table, read.filters).fits;
  const searches = questions(table, params.q);
  const fields = read.fields?.map((name) => found(table, name));
  const keys = read.sort.map((clause) => sortKey(table, clause));

  const matching = rows.filter(fits).filter((row) => searches.every((question) => question.holds(row)));
  const [limit, from] = [Math.min(read.limit, 32_000), read.offset ?? 0];
  const better =
    keys.length > 0
      ? []
      : searches.map(
          ({ hits }) =>
            (a: Row, b: Row) =>
              hits(b) - hits(a),
        );
  const page = sorted(table, matching, keys, better).slice(from, from + limit);
  // As in CKAN, an empty `fields` list shows all columns, but describes none.
  const columns = fields?.length ? fields : visible(table).filter(({ column }) => column.kind.is !== 'bytes');
  // A rank is left out if a column has its name.
  const names = visible(table).map(({ name }) => name);
  const ranks = fields?.length ? [] : searches.filter(({ rank }) => !names.includes(rank));
  const total = params.include_total !== false;
  const described = (fields ?? columns).map(descriptor);
  if (fields === undefined) described.push(...ranks.map(({ rank }) => `{"id":${write(rank)},"type":"float"}`));
  const descriptors = ['fields', `[${described.join(',')}]`] as const;
  // As in CKAN: the parameters in alphabetical order, then the records.
  const result: readonly (readonly [string, string])[] = [
    ...(fields === undefined ? [] : [descriptors]),
    ...(read.filters === null ? [] : [['filters', write(read.filters)] as const]),
    ['include_next_page', 'false'],
    ['include_total', String(total)],
    ['limit', String(limit)],
    ...(read.offset === null ? [] : [['offset', String(read.offset)] as const]),
    ...(searches.length === 0 ? [] : [['q', echoed(params.q)] as const]),
    ['records_format', '"objects"'],
    ['resource_id', write(table.name)],
    ...(params.sort === undefined || params.sort === null ? [] : [['sort', write(params.sort)] as const]),
    ['records', `[${marker}]`],
    ...(fields === undefined ? [descriptors] : []),
    ...(total ? [['total', String(matching.length)] as const] : []),
  ];
  const records = page.map((row) => record(row, columns, ranks));
  return succeeds('datastore_search', result, records, promised(table, matching, keys, page.length));
}

/** A field that is requested twice is shown once. */
function record(row: Row, columns: readonly Named[], ranks: readonly Question[]): string {
  const members = columns.map(({ name, column }) => `${write(name)}:${shown(column.kind, cellOf(row, column.name))}`);
  const ranked = ranks.map(({ rank, hits }) => `${write(rank)}:${below1(hits(row))}`);
  return `{${[...new Set(members), ...ranked].join(',')}}`;
}

/** The rank h/(h+1), with the fewest digits that identify the float4. */
function below1(hits: number): string {
  const float = Math.fround(hits / (hits + 1));
  const texts = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => String(Number(float.toPrecision(digits))));
  return texts.find((text) => Math.fround(Number(text)) === float) ?? String(float);
}

/** A number in `q` is echoed as text. */
const echoed = (q: Sent | undefined): string => write(q !== undefined && isMembers(q) ? q : textOfQ(q));

const descriptor = ({ name, column }: Named): string =>
  `{"id":${write(name)},"type":"${name === '_id' ? 'int' : typeName(column.kind)}"}`;

function found(table: Table, sent: string): Named {
  const one = named(table, sent);
  if (one === undefined) throw new Refused({ fields: bare(sent) === sent ? `invalid value "${sent}"` : null });
  return one;
}

/** Parses `limit` or `offset`. */
function count(name: string, sent: Sent | undefined): number | null {
  if (sent === undefined || sent === null || sent === '') return null;
  const text = isDigits(sent) ? sent.digits.replace(/\.0+$/, '') : String(sent);
  if (!/^\d+$/.test(text)) throw new Refused({ [name]: null });
  return Number(text);
}

function filtersOf(sent: Sent | undefined): Members | readonly Sent[] | null {
  if (sent === undefined || sent === null) return null;
  if (!isMembers(sent) && !(isList(sent) && sent.every(isMembers))) throw new Refused({ filters: null });
  return sent;
}
