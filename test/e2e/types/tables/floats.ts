import { type Family, mysql, postgres, type Value } from '../family.ts';

/** Doubles in PostgreSQL's format on every engine: the shortest digits, with an exponent below 1e-4 and from 1e15 (float4: from 1e6). */
const doubles: readonly Value[] = [
  ['0.1', '0.1', '"0.1"', '0.10', '1e-1', '0.1000000000000000055511151231257827'],
  ['1.5', '1.5'],
  ['-1.5', '-1.5'],
  ['1e20', '1e+20', '1e20', '100000000000000000000'],
  ['1e-7', '1e-07', '1e-7', '0.0000001'],
  ['0.0001', '0.0001'],
  ['0.00001', '1e-05'],
  ['999999999999999', '999999999999999'],
  ['1e15', '1e+15', '1000000000000000'],
  ['9007199254740993e0', '9.007199254740992e+15', '9007199254740992', '9007199254740993'],
  ['0.30000000000000004', '0.30000000000000004'],
  ['0.3', '0.3'],
  ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ['-1.7976931348623157e308', '-1.7976931348623157e+308'],
  ['2.2250738585072014e-308', '2.2250738585072014e-308'],
  ['-2.2250738585072014e-308', '-2.2250738585072014e-308'],
  ['5e-324', '5e-324'],
];

const singles: readonly Value[] = [
  ['0.1', '0.1', '"0.1"', '0.10000000149011612'],
  ['-1.5', '-1.5'],
  ['16777217', '1.6777216e+07', '16777216', '16777217'],
  ['16777218', '1.6777218e+07', '16777218'],
  ['123456', '123456'],
  ['1234567', '1.234567e+06', '1234567'],
  ['1e20', '1e+20', '100000000000000000000'],
  ['1e-7', '1e-07', '0.0000001'],
  ['3.4028234663852886e38', '3.4028235e+38', '3.4028235e38', '3.4028234663852886e38'],
  ['-3.4028234663852886e38', '-3.4028235e+38'],
  ['1.1754943508222875e-38', '1.1754944e-38'],
  ['-1.1754943508222875e-38', '-1.1754944e-38'],
  ['1.401298464324817e-45', '1e-45', '1.4e-45'],
];

const special: readonly Value[] = [
  ["'NaN'", '"NaN"', '"nan"'],
  ["'Infinity'", '"Infinity"', '"inf"'],
  ["'-Infinity'", '"-Infinity"'],
];
const wrong = ['"abc"', '"1.5x"', 'true', '" "'];
/** MySQL's own text of a FLOAT is rounded to six digits. */
const asDouble = 'HEX(CONCAT(v + 0e0))';

export const floats: readonly Family[] = [
  {
    name: 'double precision',
    on: postgres,
    column: 'double precision',
    values: [...doubles, ...special],
    beyond: ['1e400', '"-1e400"', '1e-400'],
    wrong,
  },
  { name: 'real', on: postgres, column: 'real', values: [...singles, ...special], beyond: ['1e39', '1e-50'], wrong },
  {
    name: 'double',
    on: mysql,
    column: 'double',
    values: doubles,
    beyond: ['1e400', '"-1e400"', '1e-400', '"NaN"', '"Infinity"'],
    wrong,
  },
  {
    name: 'float',
    on: mysql,
    column: 'float',
    read: asDouble,
    values: singles,
    beyond: ['1e39', '1e-50', '"NaN"'],
    wrong,
  },
  // In a table of its own: -0 equals 0, but is shown as another text.
  ...['double precision', 'real'].map(
    (column): Family => ({ name: `${column}: -0`, on: postgres, column, values: [["'-0'", '-0', '-0.0', '-0e5']] }),
  ),
  ...['double', 'float'].map(
    (column): Family => ({
      name: `${column}: -0`,
      on: ['mysql', 'mysql56'],
      column,
      read: 'HEX(CONCAT(v * 1e0))',
      values: [['-0e0', '-0', '-0.0', '-0e5']],
    }),
  ),
  // MariaDB does not show the sign.
  { name: '-0 on MariaDB', on: ['mariadb'], column: 'double', values: [['-0e0', '0', '-0', '0.0']] },
  {
    name: 'double(8,2)',
    on: mysql,
    column: 'double(8,2)',
    values: [
      ['1.10', '1.1', '1.10'],
      ['999999.99', '999999.99'],
    ],
    beyond: ['1.105', '1e-3'],
    wrong,
  },
  {
    name: 'float(7,2)',
    on: mysql,
    column: 'float(7,2)',
    read: asDouble,
    values: [
      ['1.10', '1.1', '1.10'],
      ['-99999.99', '-99999.99'],
    ],
    beyond: ['1.105'],
    wrong,
  },
];
