import fc from 'fast-check';
import type { Row } from './model/filters.ts';
import { idColumn } from './model/names.ts';
import { plain } from './model/show.ts';
import { misses, nasty } from './nasty.ts';
import { pooled } from './rows.ts';
import { type Members, number, object, type Sent } from './sent.ts';
import { spelled } from './spelled.ts';
import { type Column, isText, type Kind, type Table } from './table.ts';

type Entry = readonly [name: string, value: Sent];

/** Random `filters`. Most of them match something, and few are refused, because a refusal hides all other results. */
export function filters(table: Table, rows: readonly Row[]): fc.Arbitrary<Members> {
  return fc.oneof(
    { weight: 1, arbitrary: conditions(table, rows, 2, true) },
    { weight: 1, arbitrary: conditions(table, rows, 2, false) },
  );
}

function conditions(table: Table, rows: readonly Row[], levels: number, good: boolean): fc.Arbitrary<Members> {
  const id = idColumn(table);
  const onOneColumn = fc
    .constantFrom(...table.columns)
    .chain((column) => columnCondition(column, rows, good).map((sent): Entry => [column.name, sent]));
  const byId = id === undefined ? nasty : columnCondition(id, rows, good);
  const one = fc.oneof(
    { weight: 30, arbitrary: onOneColumn },
    { weight: good && id === undefined ? 0 : 3, arbitrary: byId.map((sent): Entry => ['_id', sent]) },
    { weight: good ? 0 : 1, arbitrary: nasty.map((sent): Entry => ['no such', sent]) },
    { weight: levels === 0 ? 0 : 6, arbitrary: levels === 0 ? onOneColumn : logic(table, rows, levels - 1, good) },
  );
  return fc
    .uniqueArray(one, { minLength: 1, maxLength: 3, selector: ([sent]) => sent })
    .map((entries) => object(...numericFirst(entries)));
}

function logic(table: Table, rows: readonly Row[], levels: number, good: boolean): fc.Arbitrary<Entry> {
  const parts = fc.oneof(
    { weight: 20, arbitrary: conditions(table, rows, levels, good) },
    { weight: 1, arbitrary: fc.constant(object()) },
  );
  const list: fc.Arbitrary<Sent> = fc.oneof(
    { weight: 20, arbitrary: fc.array(parts, { minLength: 1, maxLength: 3 }) },
    { weight: good ? 0 : 2, arbitrary: fc.constantFrom<Sent>([], object(), ['x'], 'x') },
  );
  return fc.tuple(fc.constantFrom('$or', '$or', '$and'), list);
}

/** Puts integer-like names first, as JavaScript objects do: the echoed `filters` have them in this order. */
export const numericFirst = (entries: readonly Entry[]) =>
  [...entries].sort(([a], [b]) => Number(/^\d+$/.test(b)) - Number(/^\d+$/.test(a)));

/** Random conditions on one column. */
function columnCondition(column: Column, rows: readonly Row[], good: boolean): fc.Arbitrary<Sent> {
  const single = fc.oneof(
    { weight: 24, arbitrary: pooled(column, rows).chain((cell) => spelled(column.kind, cell)) },
    { weight: good ? 0 : 5, arbitrary: pooled(column, rows).chain((cell) => misses(column.kind, cell)) },
    { weight: good ? 0 : 1, arbitrary: nasty },
    { weight: 2, arbitrary: fc.constant(null) },
  );
  const list = fc.array(single, { minLength: 1, maxLength: 6 });
  const operations = operators(column, rows, single, list, good);
  return fc.oneof(
    { weight: 4, arbitrary: single },
    { weight: 4, arbitrary: list },
    { weight: 6, arbitrary: operations },
    { weight: 1, arbitrary: fc.array(fc.oneof(single, operations), { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: good ? fc.constant([]) : nasty },
  );
}

function operators(
  column: Column,
  rows: readonly Row[],
  single: fc.Arbitrary<Sent>,
  list: fc.Arbitrary<Sent>,
  good: boolean,
): fc.Arbitrary<Members> {
  const entry = (names: readonly string[], sent: fc.Arbitrary<Sent>): fc.Arbitrary<Entry> =>
    fc.tuple(fc.constantFrom(...names), sent);
  const bytes = column.kind.is === 'bytes';
  const strange = fc.oneof(
    entry(['is', 'in', 'null', 'like'], fc.constantFrom<Sent>(null, object(), 'a\\')),
    entry(['gt', 'lte'], fc.constantFrom<Sent>(null, object())),
  );
  const beside = pooled(column, rows).chain((cell) => besides(column.kind, cell));
  const one = fc.oneof(
    { weight: 8, arbitrary: entry(['eq', 'ne', 'ne'], single) },
    { weight: 8, arbitrary: entry(['in', 'nin', 'nin'], fc.oneof(list, fc.constant([]))) },
    { weight: 3, arbitrary: entry(['null'], fc.boolean()) },
    { weight: good && bytes ? 0 : 8, arbitrary: entry(['like', 'ilike'], pattern(column, rows)) },
    // Ranges on text depend on the collation, which differs between engines.
    {
      weight: isText(column.kind) || (good && bytes) ? 0 : 16,
      arbitrary: entry(['gt', 'gte', 'lt', 'lte'], good ? beside : fc.oneof(beside, single)),
    },
    { weight: good ? 0 : 2, arbitrary: strange },
  );
  return fc
    .uniqueArray(one, { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map((entries) => object(...entries));
}

/** A bound for a range: a stored value, or one close to it that the column cannot store. */
function besides(kind: Kind, cell: string): fc.Arbitrary<Sent> {
  const stored = spelled(kind, cell);
  switch (kind.is) {
    case 'int':
      return fc.oneof(stored, fc.constantFrom<Sent>(number(`${cell}.5`), `${cell}.0001`, number(`${cell}e9`), '-1e30'));
    case 'numeric':
    case 'double': {
      const mantissa = cell.replace(/e.*/, '');
      return fc.oneof(stored, fc.constant(number(`${mantissa}${mantissa.includes('.') ? '' : '.'}${'0'.repeat(25)}1`)));
    }
    case 'date':
      return fc.oneof(stored, fc.constantFrom(`${cell}T12:00:00`, `${cell}T00:00:00.5`));
    case 'timestamp':
    case 'time':
      return fc.oneof(stored, fc.constant(`${cell}1`));
    default:
      return stored;
  }
}

/** A LIKE pattern that often matches: some characters of a stored value are replaced by wildcards, others escaped. */
function pattern(column: Column, rows: readonly Row[]): fc.Arbitrary<string> {
  const drawn = fc.tuple(
    pooled(column, rows).map((cell) => Array.from(plain(column.kind, cell))),
    fc.array(fc.constantFrom('as it is', 'as it is', 'open', 'more', 'escaped', 'upper'), {
      minLength: 1,
      maxLength: 8,
    }),
  );
  return drawn.map(([letters, ways]) => {
    const pieces = letters.map((letter, i) => {
      const plainly = /[%_\\]/.test(letter) ? `\\${letter}` : letter;
      const way = ways[i % ways.length] ?? '';
      const turned: Readonly<Record<string, string>> = {
        open: '_',
        more: '%',
        escaped: `\\${letter}`,
        upper: plainly.toUpperCase(),
      };
      return turned[way] ?? plainly;
    });
    return pieces.join('');
  });
}
