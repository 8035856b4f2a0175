import { type EngineName, type Family, mysql, postgres, text, type Value } from '../family.ts';

const number = (digits: bigint): Value => [String(digits), String(digits), text(String(digits)), `${digits}.0`];

function integer(column: string, on: readonly EngineName[], min: bigint, max: bigint): Family {
  const inside = [min, min + 1n, -1n, 0n, 7n, max - 1n, max].filter((value) => value >= min);
  return {
    name: column,
    on,
    column,
    values: [...new Set(inside)].map(number),
    beyond: [
      String(min - 1n),
      String(max + 1n),
      text(String(max + 1n)),
      '2.5',
      '"2.5"',
      '7.000000000000000000001',
      '1e30',
    ],
    wrong: ['"abc"', '"1abc"', '"0x10"', '" "', 'true', '"NaN"', '"1,5"'],
  };
}

const width = (column: string, bits: bigint): Family[] => [
  integer(column, mysql, -(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n),
  integer(`${column} unsigned`, mysql, 0n, 2n ** bits - 1n),
];

export const integers: readonly Family[] = [
  integer('smallint', postgres, -32_768n, 32_767n),
  integer('integer', postgres, -2_147_483_648n, 2_147_483_647n),
  integer('bigint', postgres, -(2n ** 63n), 2n ** 63n - 1n),
  integer('oid', postgres, 0n, 4_294_967_295n),
  ...width('tinyint', 8n),
  ...width('smallint', 16n),
  ...width('mediumint', 24n),
  ...width('int', 32n),
  ...width('bigint', 64n),
  {
    name: 'exponents',
    on: [...postgres, ...mysql],
    column: 'bigint',
    values: [
      ['1000', '1000', '1e3', '1E+3', '"1e3"', '1000.000'],
      ['9007199254740993', '9007199254740993', '9007199254740993.0', '90071992547409.93e2'],
      ['9007199254740992', '9007199254740992'],
    ],
    beyond: ['1e-3', '1e999999999', '1e19', '9007199254740993.5'],
  },
  {
    name: 'int zerofill',
    on: mysql,
    column: 'int(6) zerofill',
    values: [
      ['42', '42', '"000042"', '"42"'],
      ['0', '0'],
      ['4294967295', '4294967295'],
    ],
    beyond: ['-1', '4294967296'],
    wrong: ['"abc"'],
  },
  {
    name: 'bigint unsigned zerofill',
    on: mysql,
    column: 'bigint unsigned zerofill',
    values: [
      ['7', '7'],
      ['18446744073709551615', '18446744073709551615'],
    ],
    beyond: ['18446744073709551616', '-1'],
    wrong: ['"abc"'],
  },
  {
    name: 'tinyint(1)',
    on: mysql,
    column: 'boolean',
    values: [
      ['0', '0', 'false', '"FALSE"', '"f"', '"no"', '"0"'],
      ['1', '1', 'true', '"True"', '"t"', '"yes"', '"1"'],
      number(7n),
      number(-1n),
    ],
    beyond: ['128'],
    wrong: ['"maybe"', '"truth"'],
  },
  {
    name: 'tinyint(1) zerofill',
    on: mysql,
    column: 'tinyint(1) zerofill',
    values: [
      ['0', '0', 'false', '"f"'],
      ['1', '1', 'true', '"T"'],
      ['200', '200'],
    ],
    beyond: ['-1', '256'],
  },
  {
    name: 'tinyint(1) as boolean',
    on: mysql,
    column: 'tinyint(1)',
    settings: { boolean: true },
    values: [
      ['1', 'true', '"true"', '"t"', '"yes"', '"1"'],
      ['0', 'false', '"false"', '"F"', '"no"', '"0"'],
    ],
    wrong: ['1', '0', '2', '"abc"'],
  },
  {
    name: 'boolean',
    on: postgres,
    column: 'boolean',
    values: [
      ['true', 'true', '"true"', '"t"', '"yes"', '"1"'],
      ['false', 'false', '"false"', '"F"', '"no"', '"0"'],
    ],
    wrong: ['1', '0', '2', '"abc"'],
  },
  {
    // MySQL reads two-digit numbers as other years (7 is 2007), even in comparisons.
    name: 'year',
    on: mysql,
    column: 'year',
    values: [
      ["'0000'", '0', '"0000"'],
      ['1901', '1901'],
      ['2001', '2001', '"2001"'],
      ['2155', '2155'],
    ],
    beyond: ['1', '99', '70', '1900', '2156', '-1', '2001.5'],
    wrong: ['"abc"', 'true'],
  },
];
