import fc from 'fast-check';
import { number, object, type Sent } from './sent.ts';
import type { Kind } from './table.ts';
import { words } from './words.ts';

/** Texts that resemble a stored value without being equal to it; some do not fit into the column. */
export function misses(kind: Kind, cell: string): fc.Arbitrary<Sent> {
  switch (kind.is) {
    case 'int':
      return fc.constantFrom<Sent>(
        number(`${cell}.5`),
        `${cell}.5`,
        number(`${cell === '0' ? '1' : cell}0000000000`),
        `${cell} ?`,
        true,
      );
    case 'numeric':
    case 'double': {
      const mantissa = cell.replace(/e.*/, '');
      return fc.constantFrom<Sent>(number(`${mantissa}${mantissa.includes('.') ? '' : '.'}1`), `${cell}x`, true);
    }
    case 'boolean':
      return fc.constantFrom<Sent>(number('1'), number('0'), number('2'), 'tru', 'maybe');
    case 'date':
      return fc.constantFrom(
        `${cell}T12:00:00`,
        `${cell}T00:00:00.5`,
        `${cell}T00:00:00+00:00`,
        cell.replaceAll('-', '/'),
      );
    case 'timestamp':
      return fc.constantFrom<Sent>(`${cell}1`, `${cell}+02:00`, `${cell}-00:30`, cell.slice(0, 13), `${cell} UTC`);
    case 'time':
      return fc.constantFrom(`${cell}1`, `${cell}+02:00`, cell.slice(0, 2), cell.slice(1));
    case 'bytes':
      return fc.constantFrom(`\\x${cell}0`, `0x${cell}`, `\\x${cell}00`, cell === '' ? 'x' : cell);
    default: {
      const length = 'length' in kind ? kind.length + 1 : 300;
      const turned = cell === cell.toUpperCase() ? cell.toLowerCase() : cell.toUpperCase();
      return fc.constantFrom(
        `${cell} `,
        turned,
        ` ${cell}`,
        'x'.repeat(length),
        '😀'.repeat(length),
        cell.normalize('NFD'),
      );
    }
  }
}

/** Values of all kinds, and nonsense. */
export const nasty: fc.Arbitrary<Sent> = fc.oneof(
  fc.constantFrom<Sent>(
    ...[
      '2.5',
      '1e2',
      '1.50',
      '0.1e1',
      '-0',
      '-0.0',
      '32768',
      '2147483648',
      '9223372036854775808',
      '99999999999999999999',
      '1e400',
      '1e-400',
      '12345678901234567890.123456789',
      '0.1234567890123456789',
      '20240229',
    ].map(number),
  ),
  fc.constantFrom<Sent>(true, false, '', [], [number('1')], [null], object(), object(['ne', number('1')])),
  fc.constantFrom<Sent>(
    ...[
      'abc',
      '1 abc',
      '0x10',
      '1_000',
      '1,5',
      '--1',
      'e5',
      '.',
      '+',
      '2.5',
      '1e400',
      '99999999999999999999',
      'yes',
      'on',
      'TRUE',
      'nil',
    ],
    ...[
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-01-00',
      '0000-00-00',
      '0000-00-00 00:00:00',
      '29.02.2024',
      '31/12/2020',
      'now',
      'today',
    ],
    ...[
      '2024-02-29T12:34:56.7891234',
      '2024-02-29T12:34:56+02:00',
      '2024-02-29T12:34:56+00:00',
      '2024-02-29T24:00:00',
      '2024-02-29T23:59:60',
      '2024-02-29T',
    ],
    ...['24:00:00', '25:00:00', '-01:00:00', '838:59:59', '12:60', '12:00:00.1234567', '12:00:00Z'],
    ...['\\x0', '\\xzz', '\\x 00', 'x00', '\ud800', 'a\0b', "'; DROP TABLE t0; --", 'x'.repeat(300), ...words],
  ),
);
