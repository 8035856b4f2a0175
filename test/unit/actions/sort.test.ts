import { expect, test } from 'vitest';
import { distinctSort, sort } from '../../../src/actions/query/page.ts';
import type { Table } from '../../../src/model/table.ts';
import { ckanMade, column, films, keyless, parts, text, withColumns } from '../../support/table.ts';
import { refused } from './refused.ts';

const shown = (clauses: readonly string[], table: Table = films) =>
  sort(clauses, table).map(({ by, direction, nulls }) => `${'name' in by ? by.name : by.label} ${direction} ${nulls}`);

test.each([
  [[], ['film_id asc last']],
  [['title'], ['title asc last', 'film_id asc last']],
  [['title desc'], ['title desc first', 'film_id asc last']],
  [['  title   DESC  '], ['title desc first', 'film_id asc last']],
  [['title asc nulls first'], ['title asc first', 'film_id asc last']],
  [['title Desc Nulls Last'], ['title desc last', 'film_id asc last']],
  [['title nulls first'], ['title asc first', 'film_id asc last']],
  [['title\tdesc\nnulls\tlast'], ['title desc last', 'film_id asc last']],
  [['"title" desc'], ['title desc first', 'film_id asc last']],
  [['Rück gabe desc'], ['Rück gabe desc first', 'film_id asc last']],
  [
    ['seen', 'title desc'],
    ['seen asc last', 'title desc first', 'film_id asc last'],
  ],
  [['_id desc'], ['film_id desc first']],
  [['film_id'], ['film_id asc last']],
])('%j', (clauses, expected) => {
  expect(shown(clauses)).toEqual(expected);
});

test.each([
  'nope',
  'nope desc',
  'title desc asc',
  'title nulls first desc',
  '',
  ' ',
  'titledesc',
  'tags',
  'place desc',
])('%j is refused', (clause) => {
  expect(refused(() => sort([clause], films))).toEqual({ sort: [`invalid value "${clause.trim()}"`] });
});

test.each(['title up', 'title down', 'nope up', 'title desc,seen', 'title nulls', 'desc', 'ASC'])(
  '%j may be meant as a direction',
  (clause) => {
    expect(refused(() => sort([clause], films))).toEqual({
      sort: [`invalid value "${clause}", must be a field, or a field with asc or desc behind it`],
    });
  },
);

test('a column whose name ends like a direction is found by its whole name first', () => {
  const odd = withColumns(films, [
    column('price asc', text),
    column('price', text),
    column('most desc nulls last', text),
  ]);
  expect(shown(['price asc'], odd)[0]).toBe('price asc asc last');
  expect(shown(['price asc desc'], odd)[0]).toBe('price asc desc first');
  expect(shown(['most desc nulls last'], odd)[0]).toBe('most desc nulls last asc last');
});

test('every part of the key breaks ties, once', () => {
  expect(shown(['n'], parts)).toEqual(['n asc last', 'a asc last', 'b asc last']);
  expect(shown(['b desc'], parts)).toEqual(['b desc first', 'a asc last']);
  expect(shown(['n'], keyless)).toEqual(['n asc last']);
});

test('_id breaks ties before a key of other columns', () => {
  expect(shown([], ckanMade)).toEqual(['_id asc last']);
  expect(shown(['code desc'], ckanMade)).toEqual(['code desc first', '_id asc last']);
});

test('distinct records are sorted by all that they show, and by nothing else', () => {
  const shown = films.columns.filter(({ name }) => ['title', 'tags', 'seen'].includes(name));
  const order = (...clauses: string[]) =>
    distinctSort(clauses, shown, films).map(({ by, direction }) => `${by.label} ${direction}`);
  expect(order()).toEqual(['title asc', 'seen asc', 'tags asc']);
  expect(order('seen desc')).toEqual(['seen desc', 'title asc', 'tags asc']);
  expect(refused(() => order('title', '_id desc '))).toEqual({
    sort: ['must be one of the fields asked for, with distinct, got: "_id desc"'],
  });
  expect(refused(() => order('nope'))).toEqual({ sort: ['invalid value "nope"'] });
});
