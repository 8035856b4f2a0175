import { expect, test } from 'vitest';
import type { Site, VisibleResource } from '../../../src/actions/action.ts';
import * as actions from '../../../src/actions/index.ts';
import { Refusal } from '../../../src/model/errors.ts';
import { noMetadata } from '../../../src/model/metadata.ts';
import type { Json } from '../../../src/model/value.ts';
import { bounds, films, identity } from '../../support/table.ts';
import { refused } from './refused.ts';

const site: Site = {
  url: 'http://site.test/data',
  title: 'Test',
  version: '2.12',
  actions: Object.values(actions),
  limits: bounds,
  resources: async () => ({ caller: null, resources: [], isComplete: true }),
  resource: async () => undefined,
  extremes: async () => new Map(),
  rowEstimates: async () => new Map(),
  datasets: [],
  dated: async () => [],
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

test.each(['constructor', '__proto__', 'datastore_create', 5])('no help for %s', (name) => {
  expect(() => help(name)).toThrow('Not found: Action function not found');
});
test('a name that is missing is named', async () => {
  expect(refused(() => help(''))).toEqual({ name: ['Missing value'] });
  expect(await refusal(actions.resource_show.answer({}, site))).toEqual({ id: ['Missing value'] });
});

/** The details of a refusal. */
const refusal = (answer: Json | Promise<Json>) =>
  Promise.resolve(answer).then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.details : error),
  );
const list = (params: Readonly<Record<string, Json>>, some: readonly VisibleResource[] = [], isComplete = true) =>
  actions.resource_list.answer(params, {
    ...site,
    resources: async ({ matches = () => true } = {}) => ({
      caller: 'etl',
      resources: some.filter(matches),
      isComplete,
    }),
  });
const access = { read: 'public', write: 'token', deleteAll: true, aggregate: true, sql: false } as const;
const listed = (id: string, title: string, aliases: readonly string[] = [], description = '') => ({
  ...{ id, title, aliases, description, access, metadata: noMetadata, identity },
  ...{ may: { read: true, aggregate: true, write: true, deleteAll: false }, table: null },
});
const all = [listed('a', 'Roof works'), listed('b', 'Trees', ['Wald']), listed('c', 'Parks', [], 'Trees and roofs')];
const ids = async (params: Readonly<Record<string, Json>>) =>
  JSON.stringify(Object(await list(params, all)).resources.map(({ id }: { id: string }) => id));

test('the list tells titles and permissions, and which tables are not there', async () => {
  expect(await list({ limit: 1 }, all)).toEqual({
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
])('the list of %j', async (params, expected) => {
  expect(await ids(params)).toBe(JSON.stringify(expected));
});

const searchable: readonly VisibleResource[] = [
  { ...listed('films', 'Films'), table: films },
  { ...listed('parks', 'Parks'), metadata: { ...noMetadata, group: 'Green City', keywords: ['trees', 'open air'] } },
];

test.each<[string, readonly (readonly [string, Json])[]]>([
  ['rück', [['films', [{ id: 'Rück gabe' }]]]],
  ['SEEN', [['films', [{ id: 'seen', label: 'Seen' }]]]],
  ['films tags', [['films', [{ id: 'tags' }]]]],
  ['films', [['films', null]]],
  // The columns that match one of the words, at most five.
  [
    'e',
    [
      ['films', [{ id: 'title' }, { id: 'Rück gabe' }, { id: 'seen', label: 'Seen' }, { id: 'code' }, { id: 'place' }]],
      ['parks', null],
    ],
  ],
  ['open green', [['parks', null]]],
  ['title trees', []],
  ['_id', [['films', [{ id: 'film_id' }]]]],
])('the search of %s looks through groups, keywords, names and labels of columns', async (q, expected) => {
  const { resources } = Object(await list({ q }, searchable));
  expect(resources.map(({ id, matching = null }: { id: string; matching?: Json }) => [id, matching])).toEqual(expected);
});

test('the shape of a table is the number of its columns, and those with its place', async () => {
  const { roles } = films.about;
  const placed = { ...films, about: { ...films.about, roles: { ...roles, coordinates: ['lon', 'lat'] as const } } };
  const both = [searchable[0], { ...listed('placed', 'Placed'), table: placed }, searchable[1]].flatMap(
    (one) => one ?? [],
  );
  const { resources } = Object(await list({ include: 'shape' }, both));
  const shapes = resources.map(({ columns = null, coordinates = null }: { columns?: Json; coordinates?: Json }) => [
    columns,
    coordinates,
  ]);
  expect(shapes).toEqual([
    [8, null],
    [8, ['lon', 'lat']],
    [null, null],
  ]);
});

test('a list that may lack resources says so', async () => {
  expect(await list({}, [], false)).toEqual({ caller: 'etl', total: 0, resources: [], incomplete: true });
});

test('the list refuses what would cost too much, and what it does not know', async () => {
  expect(await refusal(list({ q: 'x'.repeat(101) }))).toEqual({ q: ['must have at most 100 bytes, got: 101'] });
  expect(await refusal(list({ q: 'a b c' }))).toEqual({ q: ['must have at most 2 words, got: 3'] });
  expect(await refusal(list({ q: { a: 'b' } }))).toEqual({ q: ['must be a text'] });
  expect(await refusal(list({ limit: -1, query: 'x' }))).toEqual({
    __extras: ['invalid value "query"'],
    limit: ['Must be a natural number'],
  });
});
