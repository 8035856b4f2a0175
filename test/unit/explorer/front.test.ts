import { expect, test } from 'vitest';
import { frontAddressOf, frontViewOf } from '../../../src/explorer/page/front/address.ts';
import { chosenFrom, grouped, ordered, tablesOf, waysOf } from '../../../src/explorer/page/front/tables.ts';
import { isOn } from '../../../src/explorer/page/parts/moment.ts';

if (!('isRawJSON' in JSON)) Object.assign(JSON, { isRawJSON: () => false });

const plain = { q: '', group: null, sort: 'name', show: [] };

test.each([
  ['', plain, ''],
  [
    '?q=a+b&group=&sort=records&show=edit,map',
    { q: 'a b', group: '', sort: 'records', show: ['map', 'edit'] },
    '?q=a+b&group=&sort=records&show=map,edit',
  ],
  ['?sort=size&show=all,changed', { ...plain, show: ['changed'] }, '?show=changed'],
  ['?group=A%26B', { ...plain, group: 'A&B' }, '?group=A%26B'],
])('the address %s', (search, view, again) => {
  expect(frontViewOf(search)).toEqual(view);
  expect(frontAddressOf(frontViewOf(search))).toBe(again);
});

const now = new Date(2026, 10, 29, 10, 0);

test.each([
  [now.toISOString(), true],
  [new Date(2026, 10, 28, 23, 59).toISOString(), false],
  ['2026-11-29', true],
  ['2026-11-28', false],
  ['infinity', false],
  ['', false],
])('whether %s is today', (time, is) => {
  expect(isOn(time, now)).toBe(is);
});

const may = { read: true, write: false };
const { tables } = tablesOf(
  {
    total: 4,
    resources: [
      {
        id: 'b',
        title: 'Table 10',
        description: 'One **two**. Three.',
        may,
        group: 'Z',
        records: 5,
        last_change: '2026-01-01',
      },
      { id: 'a', title: 'Table 9', description: `${'word '.repeat(100)}.`, may, records: 7, available: false },
      {
        id: 'c',
        title: '',
        description: '# Head\n\nText',
        may: { write: true },
        group: 'Ä',
        coordinates: ['x', 'y'],
        columns: 3,
      },
      { id: 'd', title: 'D', description: '', may, group: 'B', last_change: '2026-11-29' },
    ],
  },
  'en',
  now,
);
const ids = (some: typeof tables) => some.map(({ id }) => id).join('');

test('a table is shown with the first sentence of its description', () => {
  expect(tables.map(({ summary }) => summary.replace(/(?:word ?)+/, 'words'))).toEqual([
    'One two.',
    'words…',
    'Text',
    '',
  ]);
  expect(tables.map(({ title }) => title)).toEqual(['Table 10', 'Table 9', 'c', 'D']);
  expect(tables.map(({ isAvailable }) => isAvailable)).toEqual([true, false, true, true]);
});

test.each([
  ['', []],
  ['table', ['name']],
  ['two', ['description']],
  ['three x', ['description']],
  ['ä', ['topic']],
  ['nowhere', []],
])('what "%s" is found in', (q, ways) => {
  expect(waysOf(tables, q.match(/\S+/g) ?? [])).toEqual(ways);
});

test('tables are ordered by name as people count, or by a number, with those that have none last', () => {
  expect(ids(ordered(tables, 'name', 'en'))).toBe('cdab');
  expect(ids(ordered(tables, 'records', 'en'))).toBe('abcd');
  expect(ids(ordered(tables, 'changed', 'en'))).toBe('dbca');
});

test('groups are in the order of the language, the tables without one are last', () => {
  expect(grouped(tables, 'de').map(({ name, tables }) => [name, ids(tables)])).toEqual([
    ['Ä', 'c'],
    ['B', 'd'],
    ['Z', 'b'],
    ['', 'a'],
  ]);
});

test.each([
  [{}, 'bacd'],
  [{ group: '' }, 'a'],
  [{ show: ['map'] }, 'c'],
  [{ show: ['edit', 'map'] }, 'c'],
  [{ show: ['changed'] }, 'd'],
  [{ show: ['changed'], group: 'Z' }, ''],
] as const)('chosen by %j', (chosen, expected) => {
  expect(ids(chosenFrom(tables, { q: '', group: null, sort: 'name', show: [], ...chosen }))).toBe(expected);
});
