import { expect, test } from 'vitest';
import { Params } from '../../../src/actions/params.ts';
import { column } from '../../../src/actions/query/columns.ts';
import { sort } from '../../../src/actions/query/page.ts';
import {
  addressOf,
  flatParams,
  isDistinct,
  orderAfterWords,
  paramsOf,
  viewOf,
} from '../../../src/explorer/page/ask/question.ts';
import { films, column as made, text, withColumns } from '../../support/table.ts';

// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
if (!('isRawJSON' in JSON)) Object.assign(JSON, { isRawJSON: () => false });

const columns = ['id', 'kind', 'a, b', 'x', 'x desc', '"quoted"', ' blank'];
const paramsOfAddress = (search: string) => paramsOf('t', viewOf(search, columns).question);

test.each<readonly [string, Record<string, unknown>]>([
  ['?sort=kind desc nulls last, id nulls first', { sort: 'kind desc nulls last, id nulls first' }],
  ['?sort=kind NULLS Last', { sort: 'kind nulls last' }],
  ['?sort=kind sideways', { sort: '"kind sideways"' }],
  ['?sort=x desc,"x" desc', { sort: '"x desc", "x" desc' }],
  ['?sort="a, b" desc', { sort: '"a, b" desc' }],
  ['?sort=kind&sort=id desc', { sort: 'kind, id desc' }],
  ['?fields="a, b",id,"""quoted"""', { fields: ['a, b', 'id', '"quoted"'] }],
  ['?fields="quoted", blank,  kind', { fields: ['"quoted"', ' blank', 'kind'] }],
  ['?fields=id&fields=a, b', { fields: ['id', 'a, b'] }],
  ['?fields=id,kind,id', { fields: ['id', 'kind'] }],
  ['?fields=', {}],
  ['?q=a | b&plain=false&language=german', { q: 'a | b', plain: 'false', language: 'german' }],
  ['?full_text=roof', { full_text: 'roof' }],
  ['?distinct=true&fields=kind', { distinct: 'true', fields: ['kind'] }],
  ['?q={"kind":"roof"}', { q: '{"kind":"roof"}' }],
  ['?filters=[{"id":1},{"kind":"x"}]', { filters: { $or: [{ id: 1 }, { kind: 'x' }] } }],
  ['?filters=[]', {}],
  ['?filters=null', {}],
])('%s asks for %j, and the address says the same again', (search, expected) => {
  const { resource_id: _, ...params } = paramsOfAddress(search);
  expect(params).toEqual(expected);
  const view = viewOf(search, columns);
  expect([view.isCut, view.unused]).toEqual([false, []]);
  expect(paramsOfAddress(addressOf(view))).toEqual(paramsOfAddress(search));
});

test.each([
  ['?limit=5&offset=10&after=x&q=a', ['limit', 'offset', 'after']],
  ['?q=a&q=b&colour=red&resource_id=t', ['q', 'colour', 'resource_id']],
  ['?limit=&view=api&fields=id&fields=kind', []],
])('what the page does not use of %s is told: %j', (search, expected) => {
  expect(viewOf(search, columns).unused).toEqual(expected);
});

test('filters that are none are told', () => {
  for (const cut of ['{"id":', '[5]', '"x"', '[[]]']) expect(viewOf(`?filters=${cut}`, columns).isCut).toBe(true);
  expect(viewOf('?row={"id"', columns).isCut).toBe(true);
  expect(viewOf('?filters=&row=', columns).isCut).toBe(false);
});

test('only the words that are true for the API make records distinct', () => {
  const given = ['true', 'Yes', '1', 'false', 'on', ''];
  expect(given.map((word) => isDistinct(viewOf(`?distinct=${word}`, columns).question))).toEqual([
    ...[true, true, true, false, false, false],
  ]);
});

test('columns of a summary are shown once each', () => {
  expect(viewOf('?view=summary&by=kind,kind,"a, b"', columns).by).toEqual(['kind', 'a, b']);
});

test('the API reads every name of an address and of a download as the page does', () => {
  const names = [
    'a',
    'a, b',
    ' a',
    'a ',
    '5" x 3"',
    '"',
    '"a',
    '"a, b',
    'x',
    'x desc',
    'nulls last',
    'a\n, b',
    '"x" desc, a',
    'ä b',
  ];
  const table = withColumns(
    films,
    names.map((name) => made(name, text)),
  );
  const question = {
    ...{ q: '', conditions: [], fields: names, passed: {}, columns: names },
    sort: names.map((field, nth) => ({
      field,
      isDescending: nth % 2 === 0,
      ...(nth % 3 === 0 ? { nulls: 'last' as const } : {}),
    })),
  };
  const sent = new Params(flatParams(question));
  expect(sent.names('fields')?.map((name) => column(table, name)?.label)).toEqual(names);
  const read = sort(sent.names('sort') ?? [], table, []).map(({ by, direction }) => [by.label, direction]);
  expect(read).toEqual(names.map((name, nth) => [name, nth % 2 === 0 ? 'desc' : 'asc']));
  const asked = { ...viewOf('?view=summary', names), question, by: names };
  const view = viewOf(addressOf(asked), names);
  expect([view.question, view.by]).toEqual([question, names]);
});

test.each([
  ['', 'data', 'none', []],
  ['?view=summary', 'summary', 'none', []],
  ['?view=api&row={"id":1}', 'api', 'none', []],
  ['?row={"id":1}', 'data', 'record', []],
  ['?view=edit', 'data', 'none', []],
  ['?view=edit&row={"id":1}', 'data', 'edit', []],
  ['?view=add', 'data', 'add', []],
  ['?view=import', 'data', 'import', []],
  ['?view=nowhere', 'data', 'none', ['view']],
] as const)('%s opens the tab %s with the panel %s', (address, tab, panel, unused) => {
  expect(viewOf(address, ['id'])).toMatchObject({ tab, panel, unused });
});

test('each tab has its own part of the address', () => {
  const compared = { groups: ['a b', { field: 'id', width: 5 }], measures: { value: { sum: 'id' } } };
  const view = { ...viewOf('', ['id', 'a b']), size: 'a b', compared };
  expect(viewOf(addressOf({ ...view, tab: 'map' }), ['id', 'a b'])).toMatchObject({ size: 'a b', compared: null });
  expect(viewOf(addressOf({ ...view, tab: 'summary' }), ['id', 'a b'])).toMatchObject({ size: '', compared });
  expect(viewOf('?view=summary&groups=["id"]&measures={', ['id'])).toMatchObject({ compared: null });
});

test('a tab keeps what is asked', () => {
  const view = viewOf('?q=x&filters={"id":{"gte":1}}&sort=id desc&fields=id&full_text=y&row={"id":1}', ['id']);
  const asked = '?q=x&full_text=y&filters={%22id%22:{%22gte%22:1}}&sort=id+desc&fields=id';
  expect(addressOf({ ...view, tab: 'map' })).toBe(`${asked}&view=map`);
  expect(addressOf({ ...view, panel: 'none' })).toBe(asked);
});

test('the position of the map is in the address of the map only, and what is no place is none', () => {
  const at = { longitude: 13.40495, latitude: -52.5, zoom: 11.25 };
  const view = { ...viewOf('', ['id']), at };
  expect(addressOf({ ...view, tab: 'map' })).toBe('?view=map&at=13.40495,-52.5,11.25');
  expect(viewOf(addressOf({ ...view, tab: 'map' }), ['id'])).toMatchObject({ tab: 'map', at, unused: [] });
  expect(addressOf(view)).toBe('');
  for (const wrong of ['13,52', '200,0,3', '0,91,3', 'a,0,3', '1,,3', '1,2,3,4', '1,2,Infinity'])
    expect(viewOf(`?view=map&at=${wrong}`, ['id']).at).toBeNull();
});

test.each([
  ['the first words order by the key', '', '', 'roof', 'id'],
  ['the first words keep an order', '', 'kind desc', 'roof', 'kind desc'],
  ['other words keep the order by relevance', 'roof', '', 'wall', ''],
  ['other words keep the order by the key', 'roof', 'id', 'wall', 'id'],
  ['without words nothing is said about the key', 'roof', 'id', '', ''],
  ['without words an order stays', 'roof', 'kind desc', '', 'kind desc'],
])('%s', (_, before, sort, words, expected) => {
  const orderIn = (written: string) =>
    viewOf(`?${new URLSearchParams({ q: before, sort: written })}`, columns).question;
  expect(orderAfterWords(orderIn(sort), words, ['id'])).toEqual(orderIn(expected).sort);
});
