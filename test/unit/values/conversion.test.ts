import { expect, test } from 'vitest';
import { choice, type Type } from '../../../src/model/table.ts';
import { convert, identity, typeName } from '../../../src/values/convert.ts';
import { parseJson } from '../../../src/values/json.ts';
import { show } from '../../../src/values/show.ts';
import { int4, text } from '../../support/table.ts';

const int8: Type = { kind: 'int', wire: 'int8', min: -(2n ** 63n), max: 2n ** 63n - 1n };
const flag: Type = { kind: 'int', wire: 'int2', min: -128n, max: 127n, flag: true };
const numeric: Type = { kind: 'decimal', precision: 5, scale: 2, nan: true };
const mysqlDecimal: Type = { kind: 'decimal', precision: 5, scale: 2, nan: false };
const real: Type = { kind: 'float', bits: 32, nan: true };
const double: Type = { kind: 'float', bits: 64, nan: true };
const mysqlDouble: Type = { kind: 'float', bits: 64, nan: false };
const bool: Type = { kind: 'bool' };
const varchar: Type = { kind: 'text', length: 4, padded: false, nul: false };
const mood: Type = choice(['', 'sad', 'happy'], false);
const set: Type = choice(['', 'a', 'b', 'c'], true);
const bit1: Type = { kind: 'bits', length: 1, varying: false };
const bit3: Type = { kind: 'bits', length: 3, varying: false };
const varbit: Type = { kind: 'bits', length: 3, varying: true };
const date: Type = { kind: 'date', infinite: false };
const timestamp: Type = { kind: 'timestamp', digits: 3, zoned: false, infinite: false };
const uuid: Type = { kind: 'uuid' };
const json: Type = { kind: 'json', binary: true, finds: 'numeric' };
const binary: Type = { kind: 'binary', length: 2 };
const ints: Type = { kind: 'array', of: int4 };

/** JSON as sent → the bound value, or a word for another outcome. */
const conversions: readonly (readonly [Type, string, string])[] = [
  [int4, '7', '7'],
  [int4, '"7"', '7'],
  [int4, '" -07 "', '-7'],
  [int4, '7.000', '7'],
  [int4, '7e2', '700'],
  [int4, '-0', '0'],
  [int4, '2147483648', 'beyond: value "2147483648" is out of range for type integer'],
  [int4, '1e400', 'beyond: value "1e400" is out of range for type integer'],
  [int4, '7.5', 'beyond: value "7.5" is not a whole number: type integer holds no fractions'],
  [int4, '"abc"', 'wrong: invalid input syntax for type integer: "abc"'],
  [int4, '"7 films"', 'wrong: invalid input syntax for type integer: "7 films"'],
  [int4, '""', 'wrong: invalid input syntax for type integer: ""'],
  [int4, 'true', 'wrong: invalid input syntax for type integer: "true"'],
  [int4, '[1]', 'wrong: invalid input syntax for type integer: "[1]"'],
  [int4, '{"a":1}', 'wrong: invalid input syntax for type integer: "{"a":1}"'],
  [int8, '9223372036854775807', '9223372036854775807'],
  [int8, '9007199254740993', '9007199254740993'],
  [int8, '9223372036854775808', 'beyond: value "9223372036854775808" is out of range for type bigint'],
  [numeric, '12.50', '12.50'],
  [numeric, '12.5000', '12.50'],
  [numeric, '999.99', '999.99'],
  [numeric, '"NaN"', 'NaN'],
  [numeric, '12.505', 'beyond: value "12.505" has more digits than type numeric(5,2) holds'],
  [numeric, '1000', 'beyond: value "1000" has more digits than type numeric(5,2) holds'],
  [numeric, '"Infinity"', 'beyond: value "Infinity" is out of range for type numeric'],
  [mysqlDecimal, '"NaN"', 'beyond: value "NaN" is out of range for type numeric'],
  [real, '0.1', '0.1'],
  [real, '16777217', '16777216'],
  [real, '1e39', 'beyond: value "1e39" is out of range for type real'],
  [real, '1e-50', 'beyond: value "1e-50" is out of range for type real'],
  [double, '1e308', '1e+308'],
  [double, '0.30000000000000004', '0.30000000000000004'],
  [double, '"-infinity"', '-Infinity'],
  [double, '1e309', 'beyond: value "1e309" is out of range for type double precision'],
  [mysqlDouble, '"NaN"', 'beyond: value "NaN" is out of range for type double precision'],
  [bool, 'true', 'true'],
  [bool, '"No"', 'false'],
  [bool, '" on "', 'true'],
  [bool, '"1"', 'true'],
  [bool, '1', 'wrong: invalid input syntax for type boolean: "1"'],
  [bool, '"maybe"', 'wrong: invalid input syntax for type boolean: "maybe"'],
  [flag, 'true', '1'],
  [flag, '"FALSE"', '0'],
  [flag, '" t "', '1'],
  [flag, '"off"', '0'],
  [flag, '-7', '-7'],
  [flag, '"7"', '7'],
  [flag, '"maybe"', 'wrong: invalid input syntax for type smallint: "maybe"'],
  [flag, '[true]', 'wrong: invalid input syntax for type smallint: "[true]"'],
  [text, '0', '0'],
  [text, 'true', 'true'],
  [text, '1.50', '1.50'],
  [text, '12345678901234567890', '12345678901234567890'],
  [text, '" a "', ' a '],
  [text, '{"a":1}', 'wrong: invalid input syntax for type text: "{"a":1}"'],
  [text, '"\\u0000"', 'beyond: invalid byte sequence for encoding "UTF8": 0x00'],
  [text, '"\\ud800"', 'beyond: invalid byte sequence for encoding "UTF8": a lone surrogate'],
  [varchar, '"😀😀😀😀"', '😀😀😀😀'],
  [varchar, '"abcde"', 'beyond: value too long for type character varying(4)'],
  [mood, '"sad"', 'sad'],
  [mood, '"Sad"', 'beyond: invalid input value for enum: "Sad"'],
  [mood, '"sad,happy"', 'beyond: invalid input value for enum: "sad,happy"'],
  [set, '"c,a,c"', 'a,c'],
  [set, '""', ''],
  [set, '"a,,b"', 'beyond: invalid input value for enum: "a,,b"'],
  [bit1, 'true', '1'],
  [bit1, '0', '0'],
  [bit1, '"T"', '1'],
  [bit1, '"no"', '0'],
  [bit1, '"maybe"', 'wrong: invalid input syntax for type bit: "maybe"'],
  [varbit, 'true', 'wrong: invalid input syntax for type bit: "true"'],
  [bit3, '"101"', '101'],
  [bit3, '"10"', 'beyond: bit string length 2 does not match type bit(3)'],
  [bit3, '"102"', 'wrong: invalid input syntax for type bit: "102"'],
  [varbit, '"10"', '10'],
  [varbit, '"1010"', 'beyond: bit string length 4 does not match type bit varying(3)'],
  [date, '"2020-01-02"', '2020-01-02'],
  [date, '20200102', 'wrong: invalid input syntax for type date: "20200102"'],
  [date, '"infinity"', 'beyond: value "infinity" is out of range for type date'],
  [timestamp, '"2020-01-02T03:04:05.6Z"', '2020-01-02 03:04:05.6'],
  [
    timestamp,
    '"2020-01-02T03:04:05.6789"',
    'beyond: value "2020-01-02T03:04:05.6789" has more digits than type timestamp holds',
  ],
  [
    timestamp,
    '"2020-01-02T03:04:05+02:00"',
    'wrong: invalid input syntax for type timestamp: "2020-01-02T03:04:05+02:00"',
  ],
  [timestamp, '1577934245', 'wrong: invalid input syntax for type timestamp: "1577934245"'],
  [uuid, '"{A0EEBC99-9c0b4ef8-bb6d6bb9bd380a11}"', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  [uuid, '"a0eebc99"', 'wrong: invalid input syntax for type uuid: "a0eebc99"'],
  [json, '{"n": 9007199254740993, "x": [1.10, null]}', '{"n":9007199254740993,"x":[1.10,null]}'],
  [json, '"text"', '"text"'],
  [binary, '"\\\\x00Ff"', '\\x00ff'],
  [binary, '"\\\\x0"', 'wrong: invalid input syntax for type bytea: "\\x0"'],
  [binary, '"abc"', 'wrong: invalid input syntax for type bytea: "abc"'],
  [binary, '"\\\\x000102"', 'beyond: value too long for type bytea(2)'],
  [ints, '"abc"', 'wrong: invalid input syntax for type integer[]: "abc"'],
];

test.each(
  conversions.map(
    ([type, sent, expected]) => [`${typeName(type)} ${sent} → ${expected}`, type, sent, expected] as const,
  ),
)('%s', (_, type, sent, expected) => {
  const converted = convert(parseJson(sent, 10), type);
  const value = converted.is === 'value' ? identityOrText(converted.value) : `${converted.is}: ${converted.text}`;
  expect(value).toBe(expected);
});

const identityOrText = (bound: string | Uint8Array): string =>
  typeof bound === 'string' ? bound : identity(bound, { kind: 'binary', length: null });

test('equal values have one identity', () => {
  expect(identity('-0', double)).toBe(identity('0', double));
  expect(identity('12.50', numeric)).toBe(identity('12.5', numeric));
  expect(identity('-0.00', numeric)).toBe('0');
  expect(identity('1e', text)).toBe('1e');
  expect(identity('a', text)).not.toBe(identity('A', text));
  expect(identity('a', text)).not.toBe(identity('a ', text));
});

test('a quotation in a message is never longer than a line', () => {
  expect(show('x'.repeat(1000))).toBe(`${'x'.repeat(200)}…`);
  expect(show(parseJson('[1.10,{"a":null}]', 5))).toBe('[1.10,{"a":null}]');
});

test('every type has PostgreSQL’s name', () => {
  expect(
    [int4, int8, numeric, real, double, bool, text, mood, bit3, date, timestamp, uuid, json, binary, ints].map(
      typeName,
    ),
  ).toEqual([
    ...[
      'integer',
      'bigint',
      'numeric',
      'real',
      'double precision',
      'boolean',
      'text',
      'text',
      'bit',
      'date',
      'timestamp',
    ],
    ...['uuid', 'json', 'bytea', 'integer[]'],
  ]);
});
