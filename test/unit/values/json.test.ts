import fc from 'fast-check';
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/values/json.ts';
import { stringEnd } from '../../../src/values/json-scan.ts';

const read = (text: string) => parseJson(text, 32);
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  '12345678901234567890',
  '0.1234567890123456789',
  '9007199254740993',
  '1.50',
  '1.0',
  '-0',
  '-0.0',
  '1e3',
  '1E+3',
  '1e-7',
  '1e400',
  '0.0000001',
  '-0.0000001',
])('the number %s keeps its text', (text) => {
  expect(read(`{"a":[${text}]}`)).toEqual({ a: [new LosslessNumber(text)] });
});

test.each(['0', '7', '-1', '42', '123456789012345', '-123456789012345', '0.5', '-0.25', '0.000001'])(
  'the number %s is a plain one',
  (text) => {
    expect(read(text)).toBe(Number(text));
  },
);

test('one long number does not make the others lossless', () => {
  expect(read('[1, 2.5, "1.50", 12345678901234567890]')).toEqual([
    1,
    2.5,
    '1.50',
    new LosslessNumber('12345678901234567890'),
  ]);
});

test('every number comes back as it was sent', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/);
  fc.assert(
    fc.property(digits, (text) => {
      const value = read(text);
      expect(isLosslessNumber(value) ? value.value : String(value)).toBe(text);
    }),
  );
});

test('every value reads as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.parse(stringify(read(text)) ?? '')).toEqual(JSON.parse(text));
    }),
  );
});

test('the end of a text is the first quote without a backslash of its own', () => {
  const unit = fc.constantFrom('"', '\\', 'a', '\\"', '\\\\', 'x'.repeat(40));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = `"${units.join('')}`;
      const ended = /^"(?:[^"\\]|\\.)*(?=")/.exec(text)?.[0].length;
      expect(stringEnd(text, 0)).toBe(ended ?? text.length);
    }),
    { numRuns: 2000 },
  );
});

// Numbers that a double would change are replaced by marks before parsing. Errors must still report the position in the original text. The rest of
// the message comes from V8 and depends on the version of Node.
test.each([
  ['{1.50:1}', 1],
  ['[1.5.0]', 4],
  ['[1.50 1.50]', 6],
  ['[1e5x]', 4],
  ['[01.50]', 2],
  ['[1.50', 5],
  ['[-]', 2],
  ['[1.50,--0]', 7],
  ['[1-0]', 2],
  ['"a"-0', 3],
])('%s is not JSON at position %i', (text, position) => {
  expect(() => read(text)).toThrow(new RegExp(`JSON Error: .*JSONDecodeError\\(.* at position ${position}'\\)`));
});

test.each([
  '',
  ' ',
  '{',
  '{"a":1,}',
  "{'a':1}",
  '[1,]',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  '"a',
  '"\\',
  'nul',
  '{"a"}',
  '1 2',
  '\u00a0{}',
  '"\n"',
  '{"a":12345678901234567890',
])('not JSON: %j', (text) => {
  expect(() => read(text)).toThrow(/^Bad request: JSON Error: Error decoding JSON data\. Error: JSONDecodeError\('/);
});

test('nesting is counted before anything is built', () => {
  expect(read(deep(32))).toBeTruthy();
  expect(() => read(deep(33))).toThrow('nested deeper than 32 levels (limits.depth)');
  expect(() => read('['.repeat(1_000_000))).toThrow('nested deeper');
  expect(() => read('{"a":'.repeat(1_000_000))).toThrow('nested deeper');
  expect(() => read(`[12345678901234567890,${deep(100_000)}]`)).toThrow('nested deeper');
});

test('brackets, colons and quotes in strings count for nothing', () => {
  const value = { a: '[[[{{{:::', 'b:"\\': '\\"\\\\', c: ['\\'], '"': '"' };
  expect(parseJson(JSON.stringify(value), 2)).toEqual(value);
});

test.each([
  ['{"a":1,"a":2}', '"a"'],
  ['{"a":1,"a":1}', '"a"'],
  ['{"a":1,"\\u0061":1}', '"a"'],
  ['{"x":{"b":1},"y":[{"b":2},{"c":1, "c" :2}]}', '"c"'],
  ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
  ['{"a":12345678901234567890,"a":1}', '"a"'],
  ['{"a":":","a":"b"}', '"a"'],
])('a key sent twice is refused: %s', (text, key) => {
  expect(() => read(text)).toThrow(`Bad request: JSON Error: duplicate key ${key}`);
});

test.each(['1', '12345678901234567890'])('dangerous names are plain members, next to %s', (number) => {
  const value = read(`{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":3,"n":${number}}`);
  expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor', 'toString', 'n']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false);
});

test('a byte order mark is skipped', () => {
  expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 });
});

test('NUL and lone surrogates pass', () => {
  expect(read('{"a":"\\u0000","b":"\\ud800"}')).toEqual({ a: '\0', b: '\ud800' });
});

test('more values than are read at once are refused', () => {
  expect(read(`[${'1,'.repeat(99_999)}1]`)).toHaveLength(100_000);
  expect(() => read(`[${'1,'.repeat(100_000)}1]`)).toThrow('more than 100000 values');
});

test('ten megabytes of backslashes do not stop the world', () => {
  // A quadratic scan would not finish within the timeout.
  expect(() => read(`"${'\\'.repeat(10_000_000)}`)).toThrow();
});
