/**
 * A single thread serves everybody, so converting a value may take linear time only, whatever its type and characters. If a text of 256 kB takes
 * noticeable time, it is compared with one of a quarter of the length.
 */
import { expect, test } from 'vitest';
import { where } from '../../src/actions/query/filters.ts';
import { Refusal } from '../../src/model/errors.ts';
import { choice, type Type } from '../../src/model/table.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { convert } from '../../src/values/convert.ts';
import { show } from '../../src/values/show.ts';
import { bounds, column, films, int4, text, withColumns } from '../support/table.ts';

const numeric: Type = { kind: 'decimal', precision: null, scale: null, nan: true, infinite: true };
const zoned: Type = { kind: 'timestamp', digits: 6, zoned: true, infinite: true };
const members = ['', ...Array.from({ length: 64 }, (_, nth) => `m${nth}`)];
const opaque = (wire: string, more: Partial<Extract<Type, { kind: 'opaque' }>>): Type => ({
  ...{ kind: 'opaque', wire, comparable: true, ...more },
});
/** The types by name; some kinds have several. */
const types: Readonly<Record<string, Type>> = {
  int: int4,
  decimal: numeric,
  'decimal(10,2)': { kind: 'decimal', precision: 10, scale: 2, nan: false },
  float: { kind: 'float', bits: 64, nan: true },
  'float(7,2)': { kind: 'float', bits: 32, nan: false, scale: 2 },
  bool: { kind: 'bool' },
  text,
  'text(40)': { kind: 'text', length: 40, padded: true, nul: true },
  choice: choice(members, false),
  'choice, many': choice(members, true),
  date: { kind: 'date', infinite: true },
  'date of MySQL': { kind: 'date', infinite: false },
  time: { kind: 'time', digits: 6, span: true },
  timestamp: zoned,
  json: { kind: 'json', binary: true, finds: 'numeric' },
  binary: { kind: 'binary', length: null },
  bits: { kind: 'bits', length: null, varying: true },
  uuid: { kind: 'uuid' },
  array: { kind: 'array', of: int4 },
  'array of texts': { kind: 'array', of: text },
  'array of numbers': { kind: 'array', of: numeric },
  'array of times': { kind: 'array', of: zoned },
  opaque: opaque('interval', { digits: 6 }),
  'opaque inet6': opaque('inet', { form: 'inet6' }),
};
const table = withColumns(
  films,
  Object.entries(types).map(([name, type]) => column(name, type)),
);
const limits = { ...bounds, inValues: 1_000_000, qBytes: 1_000_000 };

const units = [
  ...[
    'a',
    '0',
    '9',
    '01',
    '\\',
    '\\\\"',
    '"',
    '""',
    '{',
    '}',
    '{}',
    '[',
    '[]',
    ',',
    ', ',
    '1,',
    'm1,',
    '"a",',
    'NULL,',
    '{"a":',
  ],
  ...[
    '.',
    '.1',
    '0.',
    '1.',
    ' ',
    '\t',
    '\n',
    '-',
    '-1',
    ':',
    '::',
    '1:',
    'T',
    'Z',
    '+',
    'e',
    '1e',
    ' BC',
    '%',
    '_',
    '|',
  ],
  ...['é', '漢', '😀', '\ud800', '\0', '\u00a0'],
];
const beginnings = [
  '{',
  '{"',
  '\\x',
  '2020-01-01',
  '2020-01-01 00:00:00.',
  '00:00:00.',
  '1e',
  '0.',
  '-',
  ' ',
  '[',
  '"',
];
const after = ['0', '9', '\\', ' ', 'a', ',', '"a",', '{', 'ff', '.0'];

/** Texts that a client may send, of any length. */
const texts: readonly (readonly [name: string, text: (length: number) => string])[] = [
  ...units.flatMap((unit) => [textOf('', unit, ''), textOf('', unit, 'x')]),
  ...beginnings.flatMap((begin) => after.flatMap((unit) => [textOf(begin, unit, '}')])),
];
function textOf(begin: string, unit: string, end: string) {
  const make = (length: number) => `${begin}${unit.repeat(length / unit.length)}${end}`;
  return [JSON.stringify(`${begin}${unit}…${end}`), make] as const;
}

/** The best of several runs in milliseconds of CPU time, because other load on the machine must not count. */
function time(work: () => unknown, runs: number): number {
  const times = Array.from({ length: runs }, () => {
    const start = process.cpuUsage();
    try {
      work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    return process.cpuUsage(start).user / 1000;
  });
  return Math.min(...times);
}

const maxCharacters = 256_000;
/** Below this many milliseconds a text is fast enough: quadratic time on 256,000 characters takes a second at least. */
const negligibleMs = 30;

/** Whether a text of four times the length takes about sixteen times as long. */
function isSquare(work: (text: string) => unknown, make: (length: number) => string): boolean {
  const [long, short] = [make(maxCharacters), make(maxCharacters / 4)];
  if (time(() => work(long), 1) < negligibleMs) return false;
  // A busy machine may interrupt a run, so a text must be slow every time to count.
  for (let attempt = 0; attempt < 4; attempt++)
    if (time(() => work(long), 3) <= 10 * time(() => work(short), 3)) return false;
  return true;
}

const ways: Readonly<Record<string, (name: string, text: string) => unknown>> = {
  'a record': (name, text) => convert(text, types[name] ?? int4),
  'an item of a list': (name, text) => where({ [name]: ['x', text] }, table, limits),
  'a comparison': (name, text) => where(operators(name, text, 'eq'), table, limits),
  'a range': (name, text) => where(operators(name, text, 'gte'), table, limits),
};
const operators = (name: string, text: string, op: string): JsonObject => ({ [name]: { [op]: text } });

/** Many types share their parser, so each type gets a different fifth of the texts. `npm run fuzz` gives all of them to each. */
const shareOf = (name: string) =>
  texts.filter((_, nth) => process.env.FUZZ_CASES !== undefined || (nth + Object.keys(types).indexOf(name)) % 5 === 0);

test.each(Object.keys(types))('of type %s', (name) => {
  const slow = shareOf(name).flatMap(([shown, make]) =>
    Object.entries(ways)
      .filter(([, way]) => isSquare((text) => way(name, text), make))
      .map(([way]) => `${shown} as ${way}`),
  );
  expect(slow).toEqual([]);
});

test('as a pattern, as the name of a field, and quoted in a message', () => {
  const slow = texts.filter(
    ([, make]) =>
      isSquare((text) => {
        show([text]);
        where({ [text]: 1 }, table, limits);
      }, make) || isSquare((text) => where(operators('text', text, 'ilike'), table, limits), make),
  );
  expect(slow.map(([shown]) => shown)).toEqual([]);
});

test('quadratic time is recognized', () => {
  // CPU time may be counted in steps of 4 ms, so the short text takes several of them.
  const square = ({ length }: string) => {
    let steps = 0;
    for (let first = 0; first < length; first += 12)
      for (let second = 0; second < length; second += 12) steps ^= second;
    return steps;
  };
  const isFound = () => isSquare(square, (length) => ' '.repeat(length));
  // A busy machine may slow down the short run, and hide the difference.
  expect([1, 2, 3, 4, 5].some(isFound)).toBe(true);
});
