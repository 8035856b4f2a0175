import { type Family, mysql, postgres, type Value } from '../family.ts';

const number = (digits: string, ...same: readonly string[]): Value => [digits, digits, `"${digits}"`, ...same];
const nines = '9'.repeat(35);
const wrong = ['"abc"', '"1.5x"', 'true', '" "'];

export const decimals: readonly Family[] = [
  {
    name: 'numeric without bounds',
    on: postgres,
    column: 'numeric',
    values: [
      number('1.50'),
      number('2'),
      ["'-0.000'", '0.000', '-0.000', '"0.000"'],
      number('1234567890123456789012345678901234567890.0123456789012345678901234567890123456789'),
      ["'1e40'", `1${'0'.repeat(40)}`, '1e40', '1E+40'],
      ["'1e-20'", '0.00000000000000000001', '1e-20'],
      ["'NaN'", '"NaN"', '"nan"'],
      ["'Infinity'", '"Infinity"', '"inf"'],
      ["'-Infinity'", '"-Infinity"'],
    ],
    beyond: ['1e999999999', '1e-99999'],
    wrong,
  },
  {
    name: 'numeric(6,2)',
    on: postgres,
    column: 'numeric(6,2)',
    values: [
      number('1.50', '1.5', '1.500'),
      number('0.00', '0', '-0'),
      number('-9999.99'),
      number('9999.99'),
      ["'NaN'", '"NaN"'],
    ],
    beyond: ['1.505', '"1.505"', '10000', '99999.9', '1e4', '"Infinity"'],
    wrong,
  },
  {
    name: 'numeric(40,10)',
    on: postgres,
    column: 'numeric(40,10)',
    values: [
      number('123456789012345678901234567890.0123456789'),
      number('123456789012345678901234567890.0123456788'),
      number('-0.0000000001'),
    ],
    beyond: ['0.00000000001', '1e30'],
    wrong,
  },
  {
    name: 'numeric(3,-2)',
    on: postgres,
    column: 'numeric(3,-2)',
    values: [number('12300', '1.23e4'), number('99900')],
    beyond: ['12350', '100000'],
    wrong,
  },
  {
    name: 'numeric(2,4)',
    on: postgres,
    column: 'numeric(2,4)',
    values: [number('0.0012'), number('0.0099')],
    beyond: ['0.0112', '1', '0.00125'],
    wrong,
  },
  {
    name: 'decimal(65,30)',
    on: mysql,
    column: 'decimal(65,30)',
    values: [
      number(`1.5${'0'.repeat(29)}`, '1.5', '1.50', '"1.5"'),
      number(`${nines}.${'9'.repeat(30)}`),
      number(`-${nines}.${'9'.repeat(30)}`),
      number(`0.${'0'.repeat(29)}1`, '1e-30'),
      number(`0.${'0'.repeat(30)}`, '0', '-0', '-0.0'),
      number(`9007199254740993.${'0'.repeat(30)}`, '9007199254740993'),
      number(`9007199254740992.${'0'.repeat(30)}`, '9007199254740992'),
    ],
    beyond: [`0.${'0'.repeat(30)}1`, '1e35', '1e-31', '"NaN"', '"Infinity"'],
    wrong,
  },
  {
    name: 'decimal(6,2)',
    on: mysql,
    column: 'decimal(6,2)',
    values: [number('1.50', '1.5', '1.500'), number('0.00'), number('-9999.99'), number('9999.99')],
    beyond: ['1.505', '10000', '1e4', '"NaN"'],
    wrong,
  },
  {
    name: 'decimal(6,2) unsigned zerofill',
    on: mysql,
    column: 'decimal(6,2) unsigned zerofill',
    values: [number('1.50', '1.5', '"0001.50"'), number('9999.99')],
    beyond: ['-1', '1.505'],
    wrong,
  },
];
