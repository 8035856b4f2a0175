import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encoder } from '../../src/dialects/encode.ts';
import { readRow } from '../../src/execute/drivers/row-packets.ts';
import { delimited } from '../../src/reply/formats/delimited.ts';
import { lines } from '../../src/reply/formats/lines.ts';
import type { Type } from '../../src/table.ts';

const digit = fc.integer({ min: 0, max: 9 }).map(String);
const digits = (least: number, most: number) =>
  fc.array(digit, { minLength: least, maxLength: most }).map((all) => all.join(''));
const day = fc.tuple(digits(1, 6), digits(2, 2), digits(2, 2)).map((parts) => parts.join('-'));
const clock = fc.tuple(digits(2, 3), digits(2, 2), digits(2, 2)).map((parts) => parts.join(':'));
const fraction = fc.oneof(
  fc.constant(''),
  digits(1, 6).map((all) => `.${all}`),
);
const infinite = fc.constantFrom('infinity', '-infinity');
const zeroDate = fc.constantFrom('0000-00-00', '2024-00-00', '2024-10-00', '10000-01-01', '0000-01-01');
const date = fc.oneof(day, infinite, zeroDate);
const timestamp = fc.oneof(
  fc
    .tuple(
      fc.oneof(day, zeroDate),
      digits(2, 2),
      digits(2, 2),
      digits(2, 2),
      fraction,
      fc.constantFrom('', '', '', ' BC'),
    )
    .map(([date, h, m, s, fraction, era]) => `${date} ${h}:${m}:${s}${fraction}${era}`),
  infinite,
);
const odd = fc.string({
  unit: fc.constantFrom('"', ',', '\t', '\r', '\n', '\\', '.', ' ', 'a', 'é', '😀'),
  maxLength: 300,
});
const integer = fc.bigInt().map(String);
const stamp = { kind: 'timestamp', digits: 6, infinite: true } as const;

/** What servers send for each type, as text. */
const sent: readonly (readonly [Type, fc.Arbitrary<string>])[] = [
  [{ kind: 'int', wire: 'int8', min: 0n, max: 1n }, integer],
  [{ kind: 'int', wire: 'int2', min: 1901n, max: 2155n, zero: true }, fc.constantFrom('0000', '1901', '2024')],
  [{ kind: 'decimal', precision: null, scale: null, nan: true }, fc.oneof(integer, fc.constantFrom('NaN', '-0.10'))],
  [{ kind: 'float', bits: 64, nan: true }, fc.double().map(String)],
  [{ kind: 'bool' }, fc.oneof(integer, fc.constantFrom('t', 'f'))],
  [{ kind: 'text', length: null, padded: false, nul: true }, odd],
  [{ kind: 'text', length: 9, padded: true, nul: true }, odd],
  [{ kind: 'choice', values: [], many: true }, odd],
  [{ kind: 'date', infinite: true }, date],
  [{ ...stamp, zoned: false }, timestamp],
  [{ ...stamp, zoned: false, least: 0 }, timestamp],
  [{ ...stamp, zoned: true }, timestamp.map((text) => `${text}+00`)],
  [{ kind: 'time', digits: 6, span: true }, fc.tuple(clock, fraction).map((parts) => parts.join(''))],
  [{ kind: 'json', binary: false }, odd],
  [{ kind: 'array', of: { kind: 'bool' } }, fc.constantFrom('{}', '{t,f,NULL}')],
  [{ kind: 'uuid' }, fc.uuid()],
  [{ kind: 'opaque', wire: 'inet', comparable: true }, odd],
];

/** A row as MySQL sends it, in the middle of other bytes. */
function packet(cells: readonly (Buffer | null)[]) {
  const parts = cells.flatMap((cell) => (cell === null ? [Buffer.of(0xfb)] : [length(cell.length), cell]));
  const buffer = Buffer.concat([Buffer.of(1, 2, 3), ...parts, Buffer.of(4, 5)]);
  return { buffer, offset: 3, end: buffer.length - 2, isEOF: () => false };
}

function length(bytes: number): Buffer {
  if (bytes < 251) return Buffer.of(bytes);
  const size = bytes < 2 ** 16 ? 2 : bytes < 2 ** 24 ? 3 : 6;
  const written = Buffer.alloc(size === 6 ? 9 : size + 1, 0);
  written[0] = size === 2 ? 0xfc : size === 3 ? 0xfd : 0xfe;
  written.writeUIntLE(bytes, 1, size);
  return written;
}

function written(rows: readonly (readonly (Buffer | null)[])[], types: readonly Type[], delimiter = ','): Buffer {
  const writer = lines(delimiter, types.map(encoder));
  const pieces: Uint8Array[] = [];
  for (const row of rows) {
    readRow(packet(row), writer);
    pieces.push(writer.take(1000) ?? Buffer.alloc(0));
  }
  return Buffer.concat([...pieces, writer.take(0) ?? Buffer.alloc(0)]);
}

describe('lines from bytes are those from texts', () => {
  test('whatever a server sends', () => {
    const types = sent.map(([type]) => type);
    const row = fc.tuple(...sent.map(([, text]) => fc.option(text, { freq: 8 })));
    const delimiter = fc.constantFrom(',', '\t');
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), delimiter, (rows, delimiter) => {
        const format = delimited(delimiter).format([], types.map(encoder));
        const bytes = rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell))));
        expect(written(bytes, types, delimiter).toString()).toBe(rows.map((row) => format.row(row)).join(''));
      }),
      { numRuns: 300, seed: 20_261_122 },
    );
  });

  const text: Type = { kind: 'text', length: null, padded: false, nul: true };

  test.each(['\\.', '', '.', ',\\.'])('%j alone on its line', (value) => {
    const format = delimited(',').format([], [encoder(text)]);
    expect(written([[Buffer.from(value)], [null]], [text]).toString()).toBe(format.row([value]) + format.row([null]));
  });

  test('binary values are bytes, not text', () => {
    const bytes = Buffer.of(0, 0xff, 0x22, 0x2c);
    expect(written([[bytes]], [{ kind: 'binary', length: null }]).toString()).toBe('\\x00ff222c\n');
    expect(written([[bytes.subarray(1, 2)]], [{ kind: 'bits', length: 5, varying: false }]).toString()).toBe('11111\n');
  });

  test('columns that only tell their type are left out', () => {
    expect(written([[Buffer.from('a'), Buffer.from('b'), null]], [text]).toString()).toBe('a\n');
    expect(written([[null], [null]], []).toString()).toBe('\n\n');
  });

  test.each([250, 251, 65_535, 65_536, 100_000, 2 ** 24 - 1, 2 ** 24])('a value of %i bytes', (size) => {
    const [plain, quoted] = [Buffer.alloc(size, 'x'), Buffer.alloc(size, ',')];
    const all = written([[plain, null, quoted, plain]], [text, text, text, text]);
    const expected = [plain, ',,"', quoted, '",', plain, '\n'].map((part) => Buffer.from(part));
    expect(all.equals(Buffer.concat(expected))).toBe(true);
  });
});
