import { afterAll, expect, test } from 'vitest';
import { columnsOf } from '../../../src/explorer/page/ask/columns.ts';
import type { JsonObject } from '../../../src/explorer/page/ask/json.ts';
import {
  changesOf,
  type Draft,
  differences,
  draftOf,
  emptyDraft,
  withBreaksOf,
  withDraft,
} from '../../../src/explorer/page/edit/draft.ts';
import { writableOf } from '../../../src/explorer/page/edit/fields.ts';

// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
const isOld = !('isRawJSON' in JSON);
if (isOld) Object.assign(JSON, { isRawJSON: () => false });
afterAll(() => void (isOld && Reflect.deleteProperty(JSON, 'isRawJSON')));

const columns = columnsOf([
  { id: 'id', type: 'int8' },
  { id: 'title', type: 'text', schema: { required: true } },
  { id: 'stage', type: 'text' },
  { id: 'amount', type: 'numeric' },
  { id: 'done', type: 'bool' },
  { id: 'doc', type: 'nested' },
  { id: 'tags', type: '_text' },
  { id: 'twice', type: 'numeric' },
  { id: '__proto__', type: 'text' },
]);
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
const { fields, mostRecords } = writableOf(
  { key: ['id'], columns },
  {
    components: {
      schemas: {
        'x.record': { properties: { twice: { type: 'number' } } },
        'x.written': {
          properties: {
            id: { type: 'integer', readOnly: true },
            title: { type: 'string' },
            stage: orNull({ enum: ['open', 'done'] }),
            amount: orNull({ anyOf: [{ type: 'number' }, { enum: ['NaN'] }] }),
            done: { type: 'boolean' },
            doc: orNull({}),
            tags: orNull({ type: 'array' }),
          },
        },
        'x.datastore_upsert': { properties: { records: { maxItems: 7 } } },
      },
    },
  },
);
const fieldOf = (name: string) => fields.find(({ column }) => column.name === name) ?? expect.fail(name);

test('the OpenAPI document says what can be written', () => {
  expect(mostRecords).toBe(7);
  expect(
    fields.map(({ column, isKey, isWritable, isNullable, choices }) => [
      column.name,
      isKey,
      isWritable,
      isNullable,
      choices,
    ]),
  ).toEqual([
    ['id', true, false, false, null],
    ['title', false, true, false, null],
    ['stage', false, true, true, ['open', 'done']],
    ['amount', false, true, true, null],
    ['done', false, true, false, ['true', 'false']],
    ['doc', false, true, true, null],
    ['tags', false, true, true, null],
    ['twice', false, false, false, null],
    ['__proto__', false, false, false, null],
  ]);
});

const text = (text: string): Draft => ({ is: 'text', text });

test('only a text can be empty', () => {
  expect(emptyDraft(fieldOf('title'), false)).toEqual(text(''));
  expect(emptyDraft(fieldOf('amount'), false)).toEqual({ is: 'null' });
  expect(emptyDraft(fieldOf('id'), true)).toEqual({ is: 'default' });
  expect(emptyDraft(fieldOf('id'), false)).toEqual(text(''));
});

test('line breaks stay of the kind that the value has', () => {
  expect(withBreaksOf('a\r\nb', 'a\nb\nc')).toBe('a\r\nb\r\nc');
  expect(withBreaksOf('a\r\nb\nc', 'a\nb')).toBe('a\nb');
  expect(withBreaksOf('a\nb', 'a\nb\nc')).toBe('a\nb\nc');
  expect(withBreaksOf(undefined, 'a\nb')).toBe('a\nb');
});

test('only what was touched and is another value is sent', () => {
  const base: JsonObject = JSON.parse(
    '{"id": 1, "title": "a", "stage": null, "amount": 1.5, "done": true, "doc": {"n": [1]}, "tags": ["x"], "twice": 3, "__proto__": "p"}',
  );
  const unchanged = fields.map(({ column }) => [column.name, draftOf(base[column.name], column)] as const);
  expect(changesOf(base, new Map(unchanged), fields)).toEqual({ values: {}, notJson: [], unreadable: [], missing: [] });
  const drafts = new Map<string, Draft>([
    ['title', text('')],
    ['stage', text('open')],
    ['amount', text('12')],
    ['done', text('false')],
    ['tags', text('{y,NULL}')],
  ]);
  expect(changesOf(base, drafts, fields).values).toEqual({
    ...{ title: '', stage: 'open', amount: 12, done: false, tags: '{y,NULL}' },
  });
  expect(
    changesOf(
      base,
      new Map([
        ['doc', text('{')],
        ['amount', { is: 'unreadable', typed: 'a lot', why: 'no number' }],
      ]),
      fields,
    ),
  ).toEqual({
    values: {},
    notJson: ['doc'],
    unreadable: ['amount'],
    missing: [],
  });
});

test('a field that holds again what the record holds is not touched', () => {
  const { column } = fieldOf('title');
  const touched = withDraft(new Map([['stage', { is: 'null' }]]), column, 'a', text('b'));
  expect([...touched.keys()]).toEqual(['stage', 'title']);
  expect([...withDraft(touched, column, 'a', text('a')).keys()]).toEqual(['stage']);
  expect([...withDraft(new Map(), column, undefined, text('')).keys()]).toEqual(['title']);
});

test('the empty array of PostgreSQL is no JSON object', () => {
  expect(changesOf(null, new Map([['tags', text(' {}')]]), fields).values).toEqual({ tags: ' {}' });
});

test('what a column can be compared with does not come from how its type begins', () => {
  const types = 'int int2 int8 numeric float4 interval int4range date timestamp timestamptz daterange _int4 nested';
  expect(columnsOf(types.split(' ').map((type) => ({ id: type, type }))).map(({ kind }) => kind)).toEqual([
    ...['number', 'number', 'number', 'number', 'number', 'opaque', 'opaque'],
    ...['time', 'time', 'time', 'opaque', 'other', 'other'],
  ]);
});

test('a new record leaves out what the database is to fill in', () => {
  const drafts = new Map<string, Draft>([
    ['title', text('a')],
    ['stage', { is: 'null' }],
    ['amount', { is: 'default' }],
  ]);
  expect(changesOf(null, drafts, fields).values).toEqual({ title: 'a', stage: null });
});

test('a new record lacks what nothing else fills; the empty text is a value', () => {
  const missing = (...drafts: readonly (readonly [string, Draft])[]) =>
    changesOf(null, new Map(drafts), fields).missing;
  expect(missing(['amount', text('1')])).toEqual(['title']);
  expect(missing(['title', { is: 'null' }])).toEqual(['title']);
  expect(missing(['title', text('')])).toEqual([]);
});

test('two readings of a record differ where their values do', () => {
  const [one, other] = [
    { title: 'null', amount: 1, doc: { a: 1 } },
    { title: null, amount: 1, doc: { a: 1 } },
  ];
  expect(differences(one, other, columns).map(({ name }) => name)).toEqual(['title']);
});
