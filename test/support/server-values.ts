/** Values in the form in which servers send them. */
import fc from 'fast-check';
import { choice, type Type } from '../../src/model/table.ts';

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
  unit: fc.constantFrom(
    '"',
    ',',
    '\t',
    '\r',
    '\n',
    '\\',
    '.',
    ' ',
    'a',
    'é',
    '😀',
    '\u0001',
    '\u007f',
    '\u0085',
    '\u2028',
  ),
  maxLength: 300,
});
const integer = fc.bigInt().map(String);
const stamp = { kind: 'timestamp', digits: 6, infinite: true } as const;
/** A decimal with few digits and with trailing zeros, such as 12.500. */
const shortDecimal = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.nat(6), fc.constantFrom('', '0', '00000000'))
  .map(([digits, places, zeros]) => `${(digits / 10 ** places).toFixed(places)}${places === 0 ? '' : zeros}`);

/** For each type the texts that servers may send. */
export const sent: readonly (readonly [Type, fc.Arbitrary<string>])[] = [
  [{ kind: 'int', wire: 'int8', min: 0n, max: 1n }, integer],
  [{ kind: 'int', wire: 'int2', min: 1901n, max: 2155n, zero: true }, fc.constantFrom('0000', '1901', '2024')],
  [{ kind: 'decimal', precision: null, scale: null, nan: true }, fc.oneof(integer, fc.constantFrom('NaN', '-0.10'))],
  [{ kind: 'float', bits: 64, nan: true }, fc.oneof(fc.double().map(String), shortDecimal)],
  [{ kind: 'bool' }, fc.constantFrom('t', 'f', '0', '1')],
  [{ kind: 'text', length: null, padded: false, nul: true }, odd],
  [{ kind: 'text', length: 9, padded: true, nul: true }, odd],
  [choice([], true), odd],
  [{ kind: 'date', infinite: true }, date],
  [{ ...stamp, zoned: false }, timestamp],
  [{ ...stamp, zoned: false, least: 0 }, timestamp],
  [{ ...stamp, zoned: true }, timestamp.map((text) => `${text}+00`)],
  [{ kind: 'time', digits: 6, span: true }, fc.tuple(clock, fraction).map((parts) => parts.join(''))],
  [{ kind: 'json', binary: false, finds: 'numeric' }, odd],
  [{ kind: 'array', of: { kind: 'bool' } }, fc.constantFrom('{}', '{t,f,NULL}')],
  [{ kind: 'uuid' }, fc.uuid()],
  [{ kind: 'opaque', wire: 'inet', comparable: true }, odd],
];

/** A row packet of MySQL, surrounded by other bytes in its buffer. */
export function packet(cells: readonly (Buffer | null)[]) {
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
