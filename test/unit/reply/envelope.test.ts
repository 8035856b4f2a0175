import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { denied, internal, invalid, malformed, notFound, Refusal, unavailable } from '../../../src/model/errors.ts';
import type { Encoder, Rows } from '../../../src/model/rows.ts';
import type { Cell } from '../../../src/model/value.ts';
import { success as answer, failure } from '../../../src/reply/envelope.ts';
import { runSteps } from '../../support/drained.ts';
import { records } from '../../support/formatted.ts';

const success = (...of: Parameters<typeof answer>) => runSteps(answer(...of));
const help = 'https://h/api/3/action/help_show?name=x';
const plain = (cell: Cell) => (cell === null ? null : String(cell));
const text: Encoder = { plain, copy: plain, json: (cell) => JSON.stringify(cell) };
const number: Encoder = { plain, copy: plain, json: (cell) => String(cell) };
const rows = (ids: readonly string[], encoders: readonly Encoder[], ...cells: (readonly Cell[])[]): Rows => ({
  fields: ids.map((id) => ({ id, type: 'text' })),
  encoders,
  cells,
});

test('a success has the keys in order, and records as the encoders wrote them', () => {
  const body = success(
    help,
    {
      members: [
        ['limit', 5],
        ['records', rows(['id', 'name'], [number, text], ['9007199254740993', 'é"'], ['2.50', null]), 'objects'],
        ['total', 2],
      ],
    },
    1000,
  );
  expect(body).toBe(
    `{"help":"${help}","success":true,"result":{"limit":5,"records":[{"id":9007199254740993,"name":"é\\""},{"id":2.50,"name":null}],"total":2}}`,
  );
});

test.each([
  ['no rows', rows(['a'], [text]), '[]'],
  ['no columns', rows([], [], [], []), '[{},{}]'],
  ['a column twice', rows(['a', 'b', 'a'], [text, text, text], ['1', '2', '1']), '[{"a":"1","b":"2"}]'],
  ['a dangerous name', rows(['__proto__', 'a"\n'], [text, text], ['x', 'y']), '[{"__proto__":"x","a\\"\\n":"y"}]'],
  ['a row too short', rows(['a', 'b'], [text, text], ['x']), '[{"a":"x","b":null}]'],
])('objects: %s', (_, given, expected) => {
  expect(records(given, 'objects', 1000)).toBe(expected);
});

test('an answer too large is a 409 that says what to change', () => {
  const given = rows(['a'], [text], ['x'.repeat(50)], ['é'.repeat(20)]);
  const bytes = Buffer.byteLength(records(given, 'objects', 1000));
  expect(() => records(given, 'objects', bytes)).not.toThrow();
  for (const limit of [bytes - 1, bytes - 20, 10]) {
    expect(() => records(given, 'objects', limit)).toThrow(
      invalid({
        limit: [`The answer is over ${limit} bytes (limits.responseBytes): ask for fewer records`],
        fields: [`The answer is over ${limit} bytes (limits.responseBytes): ask for fewer fields`],
      }),
    );
  }
});

test('an answer too large stops early', () => {
  let encodedValues = 0;
  const counting: Encoder = { plain, copy: plain, json: () => `"${'x'.repeat(++encodedValues && 100)}"` };
  const given = rows(['a'], [counting], ...Array.from({ length: 10_000 }, () => ['x']));
  expect(() => records(given, 'objects', 1000)).toThrow();
  expect(encodedValues).toBeLessThan(20);
});

test.each([
  ['a long number', { a: [new LosslessNumber('1.50')], b: 1 }, '{"a":[1.50],"b":1}'],
  [
    'a client that plays rows',
    { encoders: [{ json: 1 }], fields: [], cells: [] },
    '{"encoders":[{"json":1}],"fields":[],"cells":[]}',
  ],
  [
    'a client that plays a long number',
    { isLosslessNumber: true, value: 'x' },
    '{"isLosslessNumber":true,"value":"x"}',
  ],
  ['a client that plays toJSON', { toJSON: 'x', a: new LosslessNumber('1e3') }, '{"toJSON":"x","a":1e3}'],
  ['__proto__ beside a long number', { ['__proto__']: new LosslessNumber('1e3') }, '{"__proto__":1e3}'],
  ['a lone surrogate', '\ud800', '"\\ud800"'],
  ['null', null, 'null'],
])('a member that is %s', (_, value, expected) => {
  expect(success('', { members: [['x', value]] }, 1000)).toBe(`{"help":"","success":true,"result":{"x":${expected}}}`);
});

test.each([
  [invalid({ resource_id: ['Missing value'] }), '{"resource_id":["Missing value"],"__type":"Validation Error"}'],
  [invalid({ a: new LosslessNumber('1.50') }), '{"a":1.50,"__type":"Validation Error"}'],
  [
    notFound('Resource "X" was not found.'),
    '{"__type":"Not Found Error","message":"Not found: Resource \\"X\\" was not found."}',
  ],
  [denied('no'), '{"__type":"Authorization Error","message":"Access denied: no"}'],
  [internal(new Error('secret')), '{"__type":"Internal Server Error","message":"Internal Server Error"}'],
  [unavailable('later'), '{"__type":"Service Unavailable","message":"later"}'],
])('%s in an envelope', (refusal, error) => {
  expect(failure(help, refusal)).toBe(`{"help":"${help}","error":${error},"success":false}`);
});

test.each([
  [malformed('Action name not known: nope'), '"Bad request: Action name not known: nope"'],
  [new Refusal('mediaType', { message: 'x' }), '"x"'],
  [new Refusal('tooLarge', {}), '"tooLarge"'],
])('%s as a bare string', (refusal, body) => {
  expect(failure(help, refusal)).toBe(body);
});
