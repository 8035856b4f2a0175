import { expect, test } from 'vitest';
import type { Site } from '../../../src/actions/action.ts';
import * as actions from '../../../src/actions/index.ts';
import type { Json } from '../../../src/model/value.ts';
import { bounds } from '../../support/table.ts';
import { refused } from './refused.ts';

const site: Site = {
  url: 'http://site.test/data',
  title: 'Test',
  version: '2.12',
  actions: Object.values(actions),
  limits: bounds,
  caller: null,
  resources: [],
  resource: () => undefined,
};
const help = (name: Json) => actions.help_show.answer({ name }, site);

test.each(Object.values(actions))(
  'the help of $name says what it does, each parameter, and a call to copy',
  (action) => {
    const text = String(help(action.name));
    expect(text.startsWith(action.help)).toBe(true);
    for (const { name, also, help } of action.parameters) {
      expect(text).toContain(`- \`${name}\`${also === undefined ? '' : ` (or \`${also}\`)`}: `);
      expect(text).toContain(help);
    }
    expect(text).toContain(`curl http://site.test/data/api/3/action/${action.name} `);
    const isStream = action.about === 'stream';
    expect(text).toContain(isStream ? "-GN -d 'resource_id=example'" : JSON.stringify(action.example));
  },
);

test.each(Object.values(actions))('$name is described well: sentences, required first, no name twice', (action) => {
  const { parameters } = action;
  expect(
    [action.help, ...parameters.map(({ help }) => help)].filter((text) => !/^[A-Z`][\s\S]*[.]$/.test(text)),
  ).toEqual([]);
  const names = parameters.flatMap(({ name, also }) => (also === undefined ? [name] : [name, also]));
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(action.example).filter((name) => !names.includes(name))).toEqual([]);
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  expect(Object.keys(action.example)).toEqual(expect.arrayContaining(required));
});

test('words and defaults of a parameter stand in its help', () => {
  expect(help('datastore_upsert')).toContain('- `method`: `upsert`, `insert`, `update`, default `upsert`. ');
  expect(help('datastore_search')).toContain('- `limit`: whole number, default `limits.rowsDefault`. ');
});

test.each(['constructor', '__proto__', 'datastore_search_sql', 5])('no help for %s', (name) => {
  expect(() => help(name)).toThrow('Not found: Action function not found');
});
test('a name that is missing is named', () => {
  expect(refused(() => help(''))).toEqual({ name: ['Missing value'] });
  expect(refused(() => actions.resource_show.answer({}, site))).toEqual({ id: ['Missing value'] });
});

const list = (params: Readonly<Record<string, Json>>, resources: Site['resources'] = []) =>
  actions.resource_list.answer(params, { ...site, caller: 'etl', resources });
const access = { read: 'public', write: 'token', deleteAll: true, aggregate: true } as const;
const listed = (id: string, title: string, aliases: readonly string[] = [], description = '') => ({
  ...{ id, title, aliases, description, access },
  ...{ may: { read: true, aggregate: true, write: true, deleteAll: false }, table: null },
});
const all = [listed('a', 'Roof works'), listed('b', 'Trees', ['Wald']), listed('c', 'Parks', [], 'Trees and roofs')];
const ids = (params: Readonly<Record<string, Json>>) =>
  JSON.stringify(Object(list(params, all)).resources.map(({ id }: { id: string }) => id));

test('the list tells titles and permissions, and which tables are not there', () => {
  expect(list({ limit: 1 }, all)).toEqual({
    caller: 'etl',
    total: 3,
    resources: [
      {
        ...{ id: 'a', title: 'Roof works', description: '', aliases: [] },
        ...{ may: { read: true, aggregate: true, write: true, deleteAll: false }, available: false },
      },
    ],
  });
});

test.each<[Readonly<Record<string, Json>>, readonly string[]]>([
  [{}, ['a', 'b', 'c']],
  [{ q: ' ' }, ['a', 'b', 'c']],
  [{ q: 'TREES' }, ['b', 'c']],
  [{ q: 'roof trees' }, ['c']],
  [{ q: 'wald' }, ['b']],
  [{ q: 'worksTrees' }, []],
  [{ limit: 2, offset: 1 }, ['b', 'c']],
  [{ offset: 9 }, []],
])('the list of %j', (params, expected) => {
  expect(ids(params)).toBe(JSON.stringify(expected));
});

test('the list refuses what would cost too much, and what it does not know', () => {
  expect(refused(() => list({ q: 'x'.repeat(101) }))).toEqual({ q: ['must have at most 100 bytes, got: 101'] });
  expect(refused(() => list({ q: 'a b c' }))).toEqual({ q: ['must have at most 2 words, got: 3'] });
  expect(refused(() => list({ q: { a: 'b' } }))).toEqual({ q: ['must be a text'] });
  expect(refused(() => list({ limit: -1, query: 'x' }))).toEqual({
    __extras: ['invalid value "query"'],
    limit: ['Must be a natural number'],
  });
});
