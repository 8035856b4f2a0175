/**
 * For each column type: JSON as a client sends it, and after an arrow the JSON that comes back, if it differs. Values in `everywhere` must come back
 * byte for byte the same from every engine.
 */
export interface Values {
  readonly postgres: string | null;
  readonly mysql: string | null;
  readonly json: readonly string[];
  /** The engines for which the configuration sets `boolean: true`. */
  readonly boolean?: readonly ('mysql' | 'postgres')[];
}

const text = [
  '"Größe 漢字 😀"',
  '""',
  '" lead"',
  '"it\'s \\\\ \\"quoted\\" ` ? $1 %"',
  '"a\\nb\\tc"',
  '"null"',
  '"NULL"',
  '"{}"',
];

export const everywhere: readonly Values[] = [
  {
    postgres: 'smallint',
    mysql: 'smallint',
    json: ['-32768', '32767', '0', '"12" → 12', '1e2 → 100', '-0 → 0', '3.0 → 3'],
  },
  { postgres: 'integer', mysql: 'int', json: ['-2147483648', '2147483647', '" +7 " → 7'] },
  { postgres: 'bigint', mysql: 'bigint', json: ['-9223372036854775808', '9223372036854775807', '9007199254740993'] },
  {
    postgres: 'numeric(20,6)',
    mysql: 'decimal(20,6)',
    json: [
      '99999999999999.999999',
      '-0.000001',
      '12.5 → 12.500000',
      '0 → 0.000000',
      '"1e3" → 1000.000000',
      '-0.0 → 0.000000',
    ],
  },
  { postgres: 'numeric(5,0)', mysql: 'decimal(5,0)', json: ['99999', '-1', '1.000 → 1'] },
  {
    postgres: 'real',
    mysql: 'float',
    json: [
      ...[
        '0.1',
        '16777216 → 1.6777216e+07',
        '16777217 → 1.6777216e+07',
        '3.4028235e38 → 3.4028235e+38',
        '1e-45',
        '1.1754944e-38',
      ],
      ...['123456', '1234567 → 1.234567e+06', '0.0001', '0.00001 → 1e-05', '-1.5', '0'],
    ],
  },
  {
    postgres: 'double precision',
    mysql: 'double',
    json: [
      ...[
        '0.1',
        '5e-324',
        '1.7976931348623157e308 → 1.7976931348623157e+308',
        '123456789012345',
        '1e15 → 1e+15',
        '1e21 → 1e+21',
      ],
      ...[
        '2.2250738585072014e-308',
        '0.0001',
        '0.00001 → 1e-05',
        '0.30000000000000004',
        '-9007199254740993 → -9.007199254740992e+15',
      ],
    ],
  },
  {
    postgres: 'boolean',
    mysql: 'tinyint(1)',
    boolean: ['mysql'],
    json: ['true', 'false', '"yes" → true', '"F" → false'],
  },
  { postgres: 'smallint', mysql: 'bigint', boolean: ['mysql', 'postgres'], json: ['true', 'false'] },
  {
    postgres: 'varchar(60)',
    mysql: 'varchar(60)',
    json: [...text, '"trail  "', '5 → "5"', 'true → "true"', '1.50 → "1.50"'],
  },
  { postgres: 'text', mysql: 'longtext', json: [...text, '"trail  "'] },
  { postgres: 'char(6)', mysql: 'char(6)', json: ['"ab"', '"abcdef"', '"漢字"', '""', '"a b"'] },
  {
    postgres: 'date',
    mysql: 'date',
    json: ['"2024-02-29"', '"1000-01-01"', '"9999-12-31"', '"2024-01-02T00:00:00Z" → "2024-01-02"'],
  },
  {
    postgres: 'timestamp(6)',
    mysql: 'datetime(6)',
    json: [
      ...[
        '"2024-02-29" → "2024-02-29T00:00:00.000"',
        '"2024-02-29T12:00" → "2024-02-29T12:00:00.000"',
        '"9999-12-31T23:59:59.999999"',
      ],
      ...[
        '"2024-02-29 12:00:01.5Z" → "2024-02-29T12:00:01.500"',
        '"2024-02-29T12:00:01.123400" → "2024-02-29T12:00:01.1234"',
      ],
    ],
  },
  { postgres: 'timestamp(0)', mysql: 'datetime', json: ['"2024-02-29T12:00:01" → "2024-02-29T12:00:01.000"'] },
  {
    postgres: 'time(6)',
    mysql: 'time(6)',
    json: ['"03:04" → "03:04:00"', '"23:59:59.5"', '"00:00:00.000001"', '"00:00:00"', '"10:20:30"'],
  },
  { postgres: 'bytea', mysql: 'longblob', json: ['"\\\\x"', '"\\\\x00ff5c27"', '"\\\\xABCD" → "\\\\xabcd"'] },
  { postgres: 'bit(1)', mysql: 'bit(1)', json: ['1', '0', 'true → 1', '"0" → 0'] },
  { postgres: 'bit(10)', mysql: 'bit(10)', json: ['"0000000001"', '"1111111111"', '"0000000000"'] },
  { postgres: 'enum_of', mysql: "enum('a','it''s','Ü, b')", json: ['"a"', '"it\'s"', '"Ü, b"'] },
];

export const onlyMysql: readonly Values[] = [
  ['tinyint', ['-128', '127']],
  ['tinyint unsigned', ['255', '0']],
  ['mediumint', ['-8388608', '8388607']],
  ['int unsigned', ['4294967295']],
  ['bigint unsigned', ['18446744073709551615', '0']],
  ['int(6) zerofill', ['7', '123456']],
  ['decimal(8,2) zerofill', ['7.5 → 7.50']],
  ['decimal(65,30)', ['12345678901234567890123456789012345.123456789012345678901234567891']],
  ['year', ['1901', '2155', '0']],
  ['time', ['"-838:59:59"', '"838:59:59"', '"-00:00:01"', '"100:00:00"']],
  [
    'timestamp NULL',
    ['"1970-01-01T00:00:01" → "1970-01-01T00:00:01.000"', '"2024-03-31T02:30:00" → "2024-03-31T02:30:00.000"'],
  ],
  ["set('a','b','it''s')", ['"a,b"', '""', '"it\'s"']],
  ['binary(3)', ['"\\\\x00ff5c"']],
  ['varbinary(20)', ['"\\\\x00ff"', '"\\\\x"']],
  ['bit(64)', [`"${'1'.repeat(64)}"`, `"1${'0'.repeat(63)}"`]],
  ['varchar(20) CHARACTER SET latin1', ['"Ärger €"', '"trail "']],
  ['varchar(20) CHARACTER SET cp1251', ['"Київ"']],
  ['varchar(20) CHARACTER SET utf8', ['"漢字"']],
  ['varchar(20) COLLATE utf8mb4_bin', ['"Word"', '"word "', '"nul\\u0000"']],
].map(([mysql, json]) => ({ postgres: null, mysql: String(mysql), json: [json ?? []].flat() }));

export const onlyPostgres: readonly Values[] = [
  [
    'numeric',
    [
      '"NaN"',
      '"Infinity"',
      '"-Infinity"',
      '1e-30 → 0.000000000000000000000000000001',
      '2.50',
      '12345678901234567890.123',
    ],
  ],
  ['numeric(3,-2)', ['12300', '99900']],
  ['numeric(2,4)', ['0.0099']],
  ['real', ['"NaN"', '"Infinity"', '"-inf" → "-Infinity"']],
  ['double precision', ['"NaN"', '"-Infinity"', '-0.0 → -0']],
  ['oid', ['4294967295']],
  ['citext', ['"Word"', '"word "']],
  ['name', ['"abc"']],
  ['date', ['"infinity"', '"-infinity"', '"0044-03-15 BC"', '"10000-01-01"']],
  ['timestamp', ['"infinity"', '"0044-03-15 12:00:00 BC" → "0044-03-15T12:00:00.000 BC"']],
  [
    'timestamptz',
    [
      ...[
        '"2020-01-02T03:04:05+02:00" → "2020-01-02T01:04:05+00:00"',
        '"2020-01-02T03:04:05.25Z" → "2020-01-02T03:04:05.25+00:00"',
      ],
      ...[
        '"2020-01-01T00:30-0130" → "2020-01-01T02:00:00+00:00"',
        '"2020-01-02" → "2020-01-02T00:00:00+00:00"',
        '"-infinity"',
      ],
    ],
  ],
  ['time', ['"24:00:00"']],
  ['uuid', ['"A0EEBC999C0B4EF8BB6D6BB9BD380A11" → "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"']],
  ['varbit', ['""', '"101"']],
  ['bit varying(5)', ['"10101"', '"1"']],
  ['interval', ['"1 day 2 hours" → "1 day 02:00:00"', '"-3 months" → "-3 mons"']],
  ['inet', ['"10.0.0.1"', '"::1/64"']],
  ['cidr', ['"10.0.0.0/8"']],
  ['macaddr', ['"08:00:2B:01:02:03" → "08:00:2b:01:02:03"']],
  ['money', ['"$1,234.50"']],
  ['int4range', ['"[1,5)"', '"empty"']],
  ['a_domain', ['"abc"']],
  ['integer[]', ['[1,null,-3]', '[]', '"{4,5}" → [4,5]', '[[1,2],[3,4]]']],
  ['text[]', ['["a\\"b","NULL",null,"{x,y}","back\\\\slash",""," "]']],
  ['numeric(6,2)[]', ['[1.5,"NaN"] → [1.50,"NaN"]']],
  ['bigint[]', ['[9007199254740993]']],
  ['boolean[]', ['[true,false,null]']],
  ['date[]', ['["2024-02-29"]']],
  ['timestamp[]', ['["2024-02-29T12:00","2024-02-29T12:00:00.5"] → ["2024-02-29T12:00:00","2024-02-29T12:00:00.5"]']],
  ['timestamptz[]', ['["2024-02-29T12:00:00+01:00"] → ["2024-02-29T11:00:00+00:00"]']],
  ['char(4)[]', ['["ab","abcd"]']],
  ['varchar(4)[]', ['["ab","abcd"]']],
  ['bit(3)[]', ['["101"]']],
  ['bytea[]', ['["\\\\x00ff"]']],
  ['uuid[]', ['["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]']],
  ['enum_of[]', ['["a","it\'s","Ü, b"]']],
].map(([postgres, json]) => ({ postgres: String(postgres), mysql: null, json: [json ?? []].flat() }));
