import { type Family, mysql, postgres, same, type Value } from '../family.ts';

const bits = (digits: string, ...others: readonly string[]): Value => [`B'${digits}'`, `"${digits}"`, ...others];
const ones = '1'.repeat(64);

export const bitStrings: readonly Family[] = [
  {
    name: 'bit(1)',
    on: [...postgres, ...mysql],
    column: 'bit(1)',
    values: [
      ["B'0'", '0', '"0"', 'false'],
      ["B'1'", '1', '"1"', 'true'],
    ],
    beyond: ['"10"', '11'],
    wrong: ['2', '"abc"', '" "'],
  },
  {
    name: 'bit without a length',
    on: postgres,
    column: 'bit',
    values: [
      ["B'0'", '0'],
      ["B'1'", '1', 'true'],
    ],
    beyond: ['"10"'],
    wrong: ['2'],
  },
  {
    name: 'bit(8)',
    on: [...postgres, ...mysql],
    column: 'bit(8)',
    values: [bits('00000000'), bits('00000101'), bits('10000000', '10000000'), bits('11111111')],
    beyond: ['"101"', '"111111111"', '1'],
    wrong: ['"2"', '"abc"', '"0000000x"'],
  },
  {
    name: 'bit(64)',
    on: [...postgres, ...mysql],
    column: 'bit(64)',
    values: [bits(ones), bits(`${'0'.repeat(63)}1`), bits(`1${'0'.repeat(63)}`)],
    beyond: ['"1"', `"${ones}1"`],
    wrong: ['"2"'],
  },
  {
    name: 'bit varying(5)',
    on: postgres,
    column: 'bit varying(5)',
    values: [bits('1'), bits('01'), bits('00001', '"00001"'), bits('11111', '11111')],
    beyond: ['"111111"'],
    wrong: ['"2"', '"abc"'],
  },
  {
    name: 'bit varying',
    on: postgres,
    column: 'varbit',
    values: [bits('1'), bits('01'), bits(ones + ones)],
    // Writing `""` stores NULL, as for every type other than text.
    foreign: [bits('')],
    wrong: ['"2"'],
  },
];

const wrong = ['"abc"', String.raw`"\\xabc"`, String.raw`"\\xzz"`, '5', 'true', `"x'00'"`];
const hex = (digits: string, ...others: readonly string[]) =>
  [String.raw`"\\x${digits}"`, ...others.map((other) => String.raw`"\\x${other}"`)] as const;
const onPostgres = (digits: string, ...others: readonly string[]): Value => [
  String.raw`'\x${digits}'`,
  ...hex(digits, ...others),
];
const onMysql = (digits: string, ...others: readonly string[]): Value => [`x'${digits}'`, ...hex(digits, ...others)];

export const bytes: readonly Family[] = [
  {
    name: 'bytea',
    on: postgres,
    column: 'bytea',
    values: [onPostgres(''), onPostgres('00'), onPostgres('00ff5c27', '00FF5C27'), onPostgres('616263')],
    wrong,
  },
  {
    name: 'binary(4)',
    on: mysql,
    column: 'binary(4)',
    values: [onMysql('00ff5c27', '00FF5C27'), onMysql('61620000'), onMysql('00000000')],
    stores: [[String.raw`"\\x6162"`, "x'6162'"]],
    absent: [String.raw`"\\x6162"`],
    beyond: [String.raw`"\\x0000000000"`],
    wrong,
  },
  {
    name: 'varbinary(4)',
    on: mysql,
    column: 'varbinary(4)',
    values: [onMysql(''), onMysql('00'), onMysql('0000'), onMysql('61'), onMysql('41'), onMysql('6120')],
    beyond: [String.raw`"\\x0000000000"`],
    wrong,
  },
  ...['tinyblob', 'longblob'].map(
    (column): Family => ({
      name: column,
      on: mysql,
      column,
      values: [onMysql(''), onMysql('c3a9'), onMysql('e9'), onMysql('00ff5c27')],
      wrong,
    }),
  ),
  {
    name: 'varchar of the binary character set',
    on: mysql,
    column: 'varchar(4) CHARACTER SET binary',
    values: [onMysql('00ff'), onMysql('61')],
    wrong,
  },
  {
    name: 'utf8 in a blob',
    on: mysql,
    column: 'blob',
    values: [[`x'F09F9880'`, ...hex('f09f9880')]],
    wrong: [same('😀')[1]],
  },
];
