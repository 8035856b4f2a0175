import { expect, test } from 'vitest';
import { OutsideFlag } from '../../../src/model/errors.ts';
import { choice, type Type } from '../../../src/model/table.ts';
import type { Cell } from '../../../src/model/value.ts';
import { encoder } from '../../../src/values/encode.ts';
import { parseArray } from '../../../src/values/encode-array.ts';

/** Cell → its JSON, and its plain text if that is not the JSON without quotes. */
type Line = readonly [type: Type, cell: Cell, json: string, plain?: string];

const int: Type = { kind: 'int', wire: 'int8', min: -(2n ** 63n), max: 2n ** 63n - 1n };
const decimal: Type = { kind: 'decimal', precision: null, scale: null, nan: true };
const float = (bits: 32 | 64): Type => ({ kind: 'float', bits, nan: true });
const text = (padded: boolean): Type => ({ kind: 'text', length: null, padded, nul: true });
const date: Type = { kind: 'date', infinite: true };
const time: Type = { kind: 'time', digits: 6, span: true };
const timestamp = (zoned: boolean): Type => ({ kind: 'timestamp', digits: 6, zoned, infinite: true });
const json: Type = { kind: 'json', binary: false, finds: 'numeric' };
const binary: Type = { kind: 'binary', length: null };
const bits = (length: number | null, varying = false): Type => ({ kind: 'bits', length, varying });
const aSet: Type = choice(['', 'a'], true);
const opaque: Type = { kind: 'opaque', wire: 'interval', comparable: true };
const array = (of: Type): Type => ({ kind: 'array', of });
const bytes = (...all: readonly number[]) => Uint8Array.from(all);

const lines: readonly Line[] = [
  [int, '9223372036854775807', '9223372036854775807'],
  [int, -7, '-7'],
  [int, 0, '0'],
  [decimal, '2.50', '2.50'],
  [decimal, '12345678901234567890.123', '12345678901234567890.123'],
  [decimal, 'NaN', '"NaN"', 'NaN'],
  [decimal, '-Infinity', '"-Infinity"', '-Infinity'],
  // PostgreSQL's own text must pass unchanged, and MySQL's text of the same double must become equal to it.
  ...['0', '-0', '0.1', '1e-07', '0.0001', '123456789012345', '1e+15', '1.7976931348623157e+308', '5e-324'].map(
    (shown): Line => [float(64), shown, shown],
  ),
  [float(64), '1e15', '1e+15'],
  [float(64), '0.00001', '1e-05'],
  [float(64), '1e-7', '1e-07'],
  [float(64), 1.5, '1.5'],
  [float(64), 'Infinity', '"Infinity"', 'Infinity'],
  ...['0.1', '1.6777216e+07', '1.234567e+06', '123456', '3.4028235e+38', '1e-45'].map(
    (shown): Line => [float(32), shown, shown],
  ),
  [float(32), '0.10000000149011612', '0.1'],
  [float(32), '16777216', '1.6777216e+07'],
  [float(32), '1.401298464324817e-45', '1e-45'],
  [float(32), 'NaN', '"NaN"', 'NaN'],
  [{ kind: 'bool' }, 't', 'true'],
  [{ kind: 'bool' }, 'f', 'false'],
  [{ kind: 'bool' }, 1, 'true'],
  [{ kind: 'bool' }, 0, 'false'],
  // A BIGINT arrives as text, and so does every number from PostgreSQL.
  [{ kind: 'bool' }, '1', 'true'],
  [{ kind: 'bool' }, '0', 'false'],
  [text(false), 'a "b" \\ \n\u2028 ü 😀 \0', '"a \\"b\\" \\\\ \\n\u2028 ü 😀 \\u0000"', 'a "b" \\ \n\u2028 ü 😀 \0'],
  [text(false), '', '""', ''],
  [text(false), ' a  ', '" a  "', ' a  '],
  [text(true), ' a  ', '" a"', ' a'],
  [text(true), '      ', '""', ''],
  [text(true), 'a\t ', '"a\\t"', 'a\t'],
  // Text in the character set `binary` arrives as bytes.
  [text(false), bytes(0xc3, 0xbc), '"ü"', 'ü'],
  [date, '2024-02-29', '"2024-02-29"', '2024-02-29'],
  [date, '0000-00-00', 'null'],
  [date, '2024-00-00', '"2024-00-00"', '2024-00-00'],
  [date, 'infinity', '"infinity"', 'infinity'],
  [time, '03:04:05', '"03:04:05"', '03:04:05'],
  [time, '03:04:00.500000', '"03:04:00.5"', '03:04:00.5'],
  [time, '-838:59:59.000000', '"-838:59:59"', '-838:59:59'],
  [time, '10:00:00', '"10:00:00"', '10:00:00'],
  [timestamp(false), '2024-02-29 12:00:00', '"2024-02-29T12:00:00.000"', '2024-02-29T12:00:00.000'],
  [timestamp(false), '2024-02-29 12:00:00.5', '"2024-02-29T12:00:00.500"', '2024-02-29T12:00:00.500'],
  [timestamp(false), '2024-02-29 12:00:00.123400', '"2024-02-29T12:00:00.1234"', '2024-02-29T12:00:00.1234'],
  [timestamp(false), '0000-00-00 00:00:00.000', 'null'],
  [timestamp(false), '0044-03-15 12:00:00 BC', '"0044-03-15T12:00:00.000 BC"', '0044-03-15T12:00:00.000 BC'],
  [timestamp(false), '-infinity', '"-infinity"', '-infinity'],
  [timestamp(true), '2020-01-02 03:04:05+00', '"2020-01-02T03:04:05+00:00"', '2020-01-02T03:04:05+00:00'],
  [timestamp(true), '2020-01-02 03:04:05.25+05:30', '"2020-01-02T03:04:05.25+05:30"', '2020-01-02T03:04:05.25+05:30'],
  [json, '{"n": 9007199254740993, "x": 1.10}', '{"n": 9007199254740993, "x": 1.10}'],
  [json, 'null', 'null', 'null'],
  [binary, bytes(), '"\\\\x"', '\\x'],
  [binary, bytes(0, 255, 0x5c), '"\\\\x00ff5c"', '\\x00ff5c'],
  [binary, '\\x00ff5c', '"\\\\x00ff5c"', '\\x00ff5c'],
  [bits(1), bytes(1), '1'],
  [bits(1), '0', '0'],
  [bits(5), bytes(0b10101), '"10101"', '10101'],
  [bits(10), bytes(0, 1), '"0000000001"', '0000000001'],
  [bits(64), bytes(255, 255, 255, 255, 255, 255, 255, 255), `"${'1'.repeat(64)}"`, '1'.repeat(64)],
  [bits(10), '0000000001', '"0000000001"', '0000000001'],
  [bits(1, true), '1', '"1"', '1'],
  [bits(null, true), '', '""', ''],
  [aSet, 'a', '"a"', 'a'],
  [aSet, '', '""', ''],
  [
    { kind: 'uuid' },
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  ],
  [opaque, '1 day 02:00:00', '"1 day 02:00:00"', '1 day 02:00:00'],
  [array(int), '{9007199254740993,NULL}', '[9007199254740993,null]'],
  [array(decimal), '{1.50,NaN}', '[1.50,"NaN"]'],
  [array({ kind: 'bool' }), '{t,f,NULL}', '[true,false,null]'],
  [
    array(timestamp(false)),
    '{"2024-02-29 12:00:00","2024-02-29 12:00:00.5"}',
    '["2024-02-29T12:00:00","2024-02-29T12:00:00.5"]',
  ],
  [array(json), '{"{\\"a\\": [1]}",NULL}', '[{"a": [1]},null]'],
];

const namedLines = lines.map(([type, cell, shown, plain = shown]) => {
  const sent = cell instanceof Uint8Array ? `bytes ${Buffer.from(cell).toString('hex')}` : JSON.stringify(cell);
  return [
    `${type.kind} ${sent} → ${shown}`,
    { type, cell, shown, plain: plain === 'null' && type.kind !== 'json' ? null : plain },
  ] as const;
});

test.each(namedLines)('%s', (_, { type, cell, shown, plain }) => {
  expect(encoder(type).json(cell)).toBe(shown);
  expect(encoder(type).plain(cell)).toBe(plain);
  expect(() => JSON.parse(shown)).not.toThrow();
  expect(encoder(type).json(null)).toBe('null');
  expect(encoder(type).plain(null)).toBeNull();
});

test.each([2, -7, '-10', '9223372036854775807'])(
  '%s is shown as no boolean, and stays what it is for a write',
  (cell) => {
    const { json, copy, plain } = encoder({ kind: 'bool' });
    expect(() => json(cell)).toThrow(OutsideFlag);
    expect(() => copy(cell)).toThrow(OutsideFlag);
    expect(plain(cell)).toBe(String(cell));
  },
);

test.each([
  ['{}', '[]'],
  ['{1,-2}', '["1","-2"]'],
  // PostgreSQL quotes every text that could be mistaken for NULL.
  ['{NULL,"null","NULL"}', '[null,"null","NULL"]'],
  ['{"","a,b","{c}","d\\"e","f\\\\g"," "}', '["","a,b","{c}","d\\"e","f\\\\g"," "]'],
  ['{{a,b},{c,NULL}}', '[["a","b"],["c",null]]'],
  ['{{{a}}}', '[[["a"]]]'],
  ['[0:1]={a,b}', '["a","b"]'],
  ['[-1:0][2:3]={{a,b},{c,d}}', '[["a","b"],["c","d"]]'],
  ['{ü,"漢 字",😀}', '["ü","漢 字","😀"]'],
])('the array %s', (literal, expected) => {
  expect(parseArray(literal, encoder(text(false)))).toBe(expected);
});
