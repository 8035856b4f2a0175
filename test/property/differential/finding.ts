import fc from 'fast-check';
import { filters, numericFirst } from './filtering.ts';
import type { Params } from './model/answer.ts';
import type { Row } from './model/filters.ts';
import { idColumn } from './model/names.ts';
import { plain } from './model/show.ts';
import { nasty } from './nasty.ts';
import { pooled } from './rows.ts';
import { number, object, type Sent } from './sent.ts';
import type { Table } from './table.ts';

/** A search word that often occurs: a shown value or a part of it, in any case. */
function word(table: Table, rows: readonly Row[]): fc.Arbitrary<string> {
  const whole = fc
    .constantFrom(...table.columns)
    .chain((column) => pooled(column, rows).map((cell) => plain(column.kind, cell)));
  const piece = fc
    .tuple(whole, fc.nat(4), fc.nat(3))
    .map(([text, from, more]) => [...text].slice(from, from + more + 1).join(''));
  const turned = fc
    .tuple(fc.oneof(whole, piece), fc.constantFrom('as it is', 'upper', 'lower'))
    .map(([text, how]) => ({ 'as it is': text, upper: text.toUpperCase(), lower: text.toLowerCase() })[how] ?? text);
  return turned.map((text) => text.replaceAll('"', '').trim()).map((text) => (/\s/.test(text) ? `"${text}"` : text));
}

/** Random search parameters. Most are valid, because a refusal hides all other results. */
export function search(table: Table, rows: readonly Row[]): fc.Arbitrary<Params> {
  const columnNames = table.columns.map(({ name }) => name);
  const names = idColumn(table) === undefined ? columnNames : ['_id', ...columnNames];
  const simple = names.filter((name) => !/[,"]/.test(name));
  const whole = fc.integer({ min: 1, max: 6 }).map((n): Sent => number(String(n)));
  const fields = mostly(
    fc.oneof(
      fc.array(fc.constantFrom(...names), { maxLength: 5 }),
      fc.subarray(simple).map((some) => some.join(', ')),
      fc.subarray(simple).map((some) => some.map((name) => ` "${name}" `)),
    ),
    fc.oneof(fc.constantFrom<Sent>('', null, [], ['no such'], 'no such', number('1')), nasty),
  );
  const how = fc.constantFrom('', '', ' asc', ' DESC', ' desc nulls last', ' asc  nulls first', ' nulls FIRST');
  const clause = fc.tuple(fc.constantFrom(...names), how).map(([name, order]) => `${name}${order}`);
  const sort = mostly(
    fc.oneof(fc.array(clause, { minLength: 1, maxLength: 3 }), fc.constantFrom(...simple, '_id desc')),
    fc.constantFrom<Sent>('no such desc', 'n sideways', '', null, [], number('1')),
  );
  const limit = mostly(
    fc.oneof(whole, fc.constantFrom<Sent>('3', number('2.0'), number('100000'))),
    fc.constantFrom<Sent>(number('0'), null, '', number('-1'), number('2.5'), 'all'),
  );
  const offset = mostly(
    fc.nat(2).map((n): Sent => number(String(n))),
    fc.constantFrom<Sent>('2', number('-1'), 'x', number('1.5')),
  );
  const words = fc.array(word(table, rows), { minLength: 1, maxLength: 2 }).map((all) => all.join(' '));
  const byField = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), words), { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map((entries) => object(...numericFirst(entries)));
  // CKAN reads a text that is a JSON object as words per column.
  const q = mostly(
    fc.oneof(
      { weight: 3, arbitrary: words.filter((text) => !text.startsWith('{')) },
      { weight: 1, arbitrary: byField },
    ),
    fc.constantFrom<Sent>(
      '',
      ' ',
      null,
      number('1'),
      object(),
      object(['no such', 'x']),
      object([columnNames[0] ?? '', null]),
    ),
  );
  const found = filters(table, rows);
  const lists = fc.array(found, { minLength: 1, maxLength: 3 });
  const filtered = mostly(
    fc.oneof({ weight: 9, arbitrary: found }, { weight: 1, arbitrary: lists }),
    fc.constantFrom<Sent>(null, object(), 'x', number('5'), [number('1')]),
  );
  const total = fc.constantFrom<Sent>(true, false);
  return fc
    .tuple(
      fc.constantFrom('filters', 'filters', 'q', 'q', 'both', 'none'),
      fc.record({ fields, sort, limit, offset, include_total: total }, { requiredKeys: [] }),
      filtered,
      q,
    )
    .map(([by, others, sent, said]) => ({
      ...(by === 'filters' || by === 'both' ? { filters: sent } : {}),
      ...(by === 'q' || by === 'both' ? { q: said } : {}),
      ...others,
    }));
}

function mostly(good: fc.Arbitrary<Sent>, bad: fc.Arbitrary<Sent>): fc.Arbitrary<Sent> {
  return fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: bad });
}
