import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/actions/action.ts';
import { datastore_search } from '../../../src/actions/index.ts';
import { sealing } from '../../../src/app/seal.ts';
import type { Cursor, Read } from '../../../src/model/plan.ts';
import type { Table } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import {
  bounds,
  ckanMade,
  column,
  films,
  int4,
  keyless,
  parts,
  resource,
  text,
  withColumns,
} from '../../support/table.ts';
import { members, plan, start } from './calling.ts';
import { refused } from './refused.ts';

const read = (params: Record<string, Json>, table: Table = films): Read => {
  const planned = plan(datastore_search, params, table);
  if (planned.effect !== 'read') throw new Error('a search only reads');
  return planned;
};
const rows = { fields: [], encoders: [], cells: [[]] };
/** The `next_page` of an answer to these parameters whose last record has this cursor. */
function next(params: Record<string, Json>, place: Cursor, table: Table = films): Json | undefined {
  const outcome: Outcome = { rows, total: null, end: { sort: read(params, table).sort, cursor: place } };
  return members(datastore_search, params, outcome, table).find(([name]) => name === 'next_page')?.[1] as Json;
}
function token(params: Record<string, Json>, place: Cursor, table?: Table): string {
  const page = next(params, place, table);
  const after = Object(page).after;
  if (typeof after !== 'string') throw new Error(JSON.stringify(page));
  return after;
}
const beginAgain = {
  after: [
    'must be what `next_page` said for this resource and this sort, since the gateway was started last (unless it has a server.secret): begin again without it',
  ],
};

test.each<[Record<string, Json>, Json]>([
  [{}, { _id: { gt: 7 } }],
  [{ sort: '_id' }, { _id: { gt: 7 } }],
  [{ sort: 'film_id desc' }, { _id: { lt: 7 } }],
  [{ filters: { _id: { gt: 3 } } }, { _id: { gt: 7 } }],
  [{ sort: '_id desc nulls last', filters: { title: 'x' } }, { _id: { lt: 7 } }],
])('%j goes on by a condition on _id', (params, expected) => {
  expect(next({ ...params, include_next_page: true }, ['7'])).toEqual(expected);
});

test('an _id beyond the digits of a double keeps them', () => {
  const page = next({}, ['9007199254740993']);
  expect(String(Object(Object(page)._id).gt)).toBe('9007199254740993');
});

test.each<[Record<string, Json>, Cursor]>([
  [{ sort: 'title' }, ["it's", '7']],
  [{ sort: 'poster, seen desc' }, [Uint8Array.of(0, 255), null, '7']],
  // These filters already have a condition on _id, which a merged cursor would replace.
  [{ filters: { _id: [1, 2] } }, ['1']],
  [{ filters: { _id: { gt: 3, lt: 9 } } }, ['4']],
  [{ filters: { _id: { gt: 3 } }, sort: '_id desc' }, ['4']],
  [{ filters: [{ title: 'x' }] }, ['4']],
])('%j goes on after its place', (params, place) => {
  const after = token(params, place);
  expect(read({ ...params, after }).after).toEqual(place);
});

test('a call with after gets its next page by after', () => {
  const after = token({ filters: { _id: [1, 2] } }, ['1']);
  expect(Object.keys(Object(next({ after }, ['2'])))).toEqual(['after']);
});

test('a cursor does not show its values', () => {
  const after = token({ sort: 'title' }, ['a hidden title', '7']);
  expect(Buffer.from(after, 'base64url').toString('latin1')).not.toContain('hidden');
  expect(token({ sort: 'title' }, ['a hidden title', '7'])).not.toBe(after);
});

test('the length of a cursor does not reveal that of a hidden key', () => {
  const secret = column('secret', text);
  const hides: Table = { ...films, key: [secret], order: { by: [secret], isTotal: true } };
  const hidden = [null, '', '7', '"\\n', 'ü'.repeat(31), 'x'.repeat(62), new Uint8Array(28)];
  for (const shown of ['', 'x', 'xx', 'x'.repeat(100)]) {
    const lengths = (of: readonly Cursor[number][]) =>
      new Set(of.map((value) => token({ sort: 'title' }, [shown, value], hides).length));
    expect(lengths(hidden).size, shown).toBe(1);
    expect(lengths(['x'.repeat(63), 'x'.repeat(126)]).size, shown).toBe(1);
    const after = token({ sort: 'title' }, [shown, 'a key'], hides);
    expect(read({ sort: 'title', after }, hides).after).toEqual([shown, 'a key']);
  }
  expect(token({ sort: 'title' }, ['x', '7']).length).toBeLessThan(60);
});

test.each<[string, Record<string, Json>, Table]>([
  ['another sort', { sort: 'title desc' }, films],
  ['another resource', { sort: 'title' }, { ...films, resource: 'other' }],
  ['another table behind the resource', { sort: 'title' }, { ...films, name: 'other' }],
  [
    'a column that is of another collation by now',
    { sort: 'title' },
    withColumns(
      films,
      films.columns.map((one) => (one.name === 'title' ? { ...one, collation: 'x' } : one)),
    ),
  ],
])('a place is refused for %s', (_, params, table) => {
  const after = token({ sort: 'title' }, ['x', '7']);
  expect(read({ sort: 'title', after }).after).toEqual(['x', '7']);
  expect(refused(() => read({ ...params, after }, table))).toEqual(beginAgain);
});

test('a place is refused when a byte of it is another, or it is none, or another process sealed it', () => {
  const after = token({ sort: 'title' }, ['x', '7']);
  const bytes = Buffer.from(after, 'base64url');
  for (const at of bytes.keys()) {
    const forged = Buffer.from(bytes);
    forged[at] = (forged[at] ?? 0) ^ 1;
    expect(
      refused(() => read({ sort: 'title', after: forged.toString('base64url') })),
      `byte ${at}`,
    ).toEqual(beginAgain);
  }
  for (const none of ['x', 'null', '[]', ' ', after.slice(1), 'é'.repeat(100)])
    expect(refused(() => read({ sort: 'title', after: none }))).toEqual(beginAgain);
  const elsewhere = { ...bounds, sealing: sealing('another secret') };
  const started = datastore_search.start({ id: 'films', sort: 'title', after }, elsewhere);
  expect(refused(() => started.plan(resource(films), null))).toEqual(beginAgain);
});

test('a table without a key has no next page', () => {
  expect(refused(() => read({ include_next_page: true }, keyless))).toEqual({
    include_next_page: ['must be false, got: true; the table has no key, so no value says where a page ends'],
  });
  expect(read({ include_next_page: true }, parts).withCursor).toBe(true);
  expect(read({}, parts).withCursor).toBe(false);
});

test('a key that is another column than _id is not paged by _id', () => {
  const ownIdTable: Table = {
    ...withColumns(films, [column('_id', int4), ...films.columns.slice(1)]),
    ...{ key: [column('film_id', int4)], order: { by: [column('_id', int4), column('film_id', int4)], isTotal: true } },
  };
  expect(Object.keys(Object(next({ sort: '_id' }, ['1', '7'], ownIdTable)))).toEqual(['after']);
});

test('an _id that is no number is paged by after', () => {
  const ownIdTable: Table = {
    ...films,
    columns: [column('_id', text)],
    order: { by: [column('_id', text)], isTotal: true },
  };
  expect(Object.keys(Object(next({}, ['x'], ownIdTable)))).toEqual(['after']);
});

test('an _id beside a key of other columns is paged by _id', () => {
  expect(next({}, ['7'], ckanMade)).toEqual({ _id: { gt: 7 } });
  expect(read({ include_next_page: true }, ckanMade).withCursor).toBe(true);
});

test.each<[Record<string, Json>, Record<string, Json>]>([
  [{ after: 5 }, { after: ['must be the text of a next_page, got: 5'] }],
  [{ after: 'x', offset: 3 }, { offset: ['must be absent beside after, got: 3'] }],
])('%j is refused before the table is looked at', (params, says) => {
  expect(refused(() => start(datastore_search, { resource_id: 'films', ...params }))).toEqual(says);
});
