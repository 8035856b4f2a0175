/** Pure. Searches rows in memory as a database would search a table. */
import { type Cursor, isRank, type Read, type Search, type Shown, type Sort, type Where } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { contains, type Query, type Words, wordsOf } from '../../model/words.ts';

export type Row = Readonly<Record<string, string | null>>;
type Value = BoundValue | null;

/** The cells of the page, and if the plan asks for them, the cursor of its last row and the total. */
export function listed(plan: Read, rows: readonly Row[]) {
  const matches = rows
    .filter(
      (row) =>
        holds(plan.where, row) && plan.searches.every((search) => truth(search.query, finder(search, plan.table, row))),
    )
    .map((row) => ({ row, cursor: plan.sort.map(({ by }) => value(by, plan.table, row)) }))
    .sort((a, b) => compare(a.cursor, b.cursor, plan.sort));
  const { after } = plan;
  const rest = after === null ? matches : matches.filter(({ cursor }) => compare(cursor, after, plan.sort) > 0);
  const page = rest.slice(plan.offset, plan.offset + plan.limit);
  const last: Cursor | undefined = plan.withCursor ? page.at(-1)?.cursor : undefined;
  return {
    cells: page.map(({ row }) => plan.columns.map((column) => value(column, plan.table, row))),
    cursor: last ?? null,
    total: plan.total ? { count: matches.length, is: 'exact' as const } : null,
  };
}

function holds(where: Where, row: Row): boolean {
  switch (where.op) {
    case 'all':
      return where.of.every((part) => holds(part, row));
    case 'any':
      return where.of.some((part) => holds(part, row));
    case 'not':
      return !holds(where.of, row);
  }
  const text = row[where.column.name] ?? null;
  switch (where.op) {
    case 'null':
      return text === null;
    case 'in':
      return text !== null && where.values.includes(text);
    case 'like':
      return text !== null && isLike([...fold(text, where.folds)], tokens(fold(where.pattern, where.folds)));
    case 'gt':
      return text !== null && text > where.value;
    case 'gte':
      return text !== null && text >= where.value;
    case 'lt':
      return text !== null && text < where.value;
    case 'lte':
      return text !== null && text <= where.value;
  }
}

const fold = (text: string, folds: boolean): string => (folds ? text.toLowerCase() : text);

/** Splits a LIKE pattern: `%` and `_` are wildcards, and `|` escapes the next character. */
function tokens(pattern: string): readonly (string | { readonly any: 'one' | 'some' })[] {
  return (pattern.match(/\|[\s\S]|[\s\S]/gu) ?? []).map((part) =>
    part === '%' ? { any: 'some' } : part === '_' ? { any: 'one' } : part.replace(/^\|(?=[\s\S])/u, ''),
  );
}

/** Matches a LIKE pattern. A regular expression with many `%` would backtrack through every way to split the text. */
function isLike(text: readonly string[], pattern: ReturnType<typeof tokens>): boolean {
  let [at, next, star, from] = [0, 0, -1, 0];
  while (at < text.length) {
    const token = pattern[next];
    if (typeof token === 'object' && token.any === 'some') [star, from, next] = [next, at, next + 1];
    else if (token !== undefined && (typeof token === 'object' || token === text[at])) [at, next] = [at + 1, next + 1];
    else if (star < 0) return false;
    else [from, at, next] = [from + 1, from + 1, star + 1];
  }
  return pattern.slice(next).every((token) => typeof token === 'object' && token.any === 'some');
}

type Finds = (words: Words) => boolean;

/** Returns a function that tests whether a row contains a word, in the column of the search or in any searched column. */
function finder({ column }: Search, table: Table, row: Row): Finds {
  const columns: readonly Column[] = column === null ? table.search.columns : [column];
  const texts = columns.map(({ name }) => [...(row[name] ?? '').toLowerCase()]);
  return (words) => texts.some((shown) => isLike(shown, tokens(contains(words).toLowerCase())));
}

function truth(query: Query, finds: Finds): boolean {
  switch (query.op) {
    case 'and':
      return query.of.every((part) => truth(part, finds));
    case 'or':
      return query.of.some((part) => truth(part, finds));
    case 'not':
      return !truth(query.of, finds);
    default:
      return finds(query);
  }
}

/** The text of a column; for a rank a number between 0 and 1, which grows with the number of matching words. */
function value(shown: Shown, table: Table, row: Row): string | null {
  if (!isRank(shown)) return row[shown.name] ?? null;
  const finds = finder(shown.search, table, row);
  const hits = wordsOf(shown.search.query, 'wanted').filter((words) => truth(words, finds)).length;
  return String(hits / (hits + 1));
}

function compare(a: readonly Value[], b: readonly Value[], sort: readonly Sort[]): number {
  for (const [at, { direction, nulls }] of sort.entries()) {
    const [one, other] = [a[at] ?? null, b[at] ?? null];
    if (one === other) continue;
    if (one === null || other === null) return (one === null) === (nulls === 'first') ? -1 : 1;
    return one < other === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}
