import { type Family, postgres, type Value } from '../family.ts';

const big = '{"n":12345678901234567890.12345678901234567890,"l":[1.50,1e400,-0,null,true],"t":"é😀\\\\ \\" x"}';
/** MariaDB cannot compare a number outside the range of doubles. */
const large = big.replace('1e400', '1e300');
/** A document that is stored exactly as the gateway writes it: compact. */
const verbatim = (json: string): Value => [`'${json.replace(/'/g, "''")}'`, json];

/** Documents that every engine stores without changing the text. */
const documents: readonly Value[] = [
  verbatim('{"a":1}'),
  verbatim('[]'),
  verbatim('{}'),
  verbatim('5'),
  verbatim('"text"'),
  verbatim('true'),
  verbatim('[null]'),
  verbatim(`{"it's":"a,b}]}}"}`),
];

export const jsons: readonly Family[] = [
  {
    name: 'json on PostgreSQL',
    on: postgres,
    column: 'json',
    values: [...documents, verbatim(big)],
    foreign: [[`'{ "b" : 1.0,  "a": [ ] }'`, '{ "b" : 1.0,  "a": [ ] }', '{"a":[],"b":1}']],
    zero: ["'null'"],
    documents: true,
  },
  {
    name: 'jsonb',
    on: postgres,
    column: 'jsonb',
    values: [
      [`'{"a":1}'`, '{"a": 1}'],
      [
        `'{"n":12345678901234567890.12345678901234567890,"l":[1.50,null]}'`,
        '{"l": [1.50, null], "n": 12345678901234567890.12345678901234567890}',
      ],
      ['\'"text"\'', '"text"'],
      ["'[1.50, 2]'", '[1.50, 2]'],
    ],
    zero: ["'null'"],
    documents: true,
  },
  {
    name: 'json on MariaDB',
    on: ['mariadb'],
    column: 'json',
    // In a MySQL literal a backslash must be doubled.
    values: [...documents, [`'${large.replace(/\\/g, '\\\\')}'`, large]],
    foreign: [[`'{ "b" : 1.0,  "a": [ ] }'`, '{ "b" : 1.0,  "a": [ ] }']],
    documents: true,
  },
  {
    name: 'json on MySQL',
    on: ['mysql'],
    column: 'json',
    // The server normalizes documents: 1.50 becomes 1.5, and an integer above BIGINT becomes a double.
    values: [
      [`'{"a":1}'`, '{"a": 1}'],
      [
        `'{"n":18446744073709551615,"m":-9223372036854775808}'`,
        '{"m": -9223372036854775808, "n": 18446744073709551615}',
      ],
      [`'{"t":"é😀"}'`, '{"t": "é😀"}'],
      ['\'"text"\'', '"text"'],
      ["'[1.5, null, true]'", '[1.5, null, true]'],
    ],
    zero: ["'null'"],
    documents: true,
  },
];

const array = (column: string, values: readonly Value[], more: Partial<Family> = {}): Family => ({
  name: column,
  on: postgres,
  column,
  values,
  lists: true,
  wrong: ['"abc"', '5', 'true'],
  ...more,
});

export const arrays: readonly Family[] = [
  array(
    'integer[]',
    [
      ["'{1,2}'", '[1,2]', '"{1,2}"', '["1","2"]', '[1.0,2]'],
      ["'{}'", '[]'],
      ["'{1,NULL}'", '[1,null]'],
      ["'{2147483647}'", '[2147483647]'],
      ["'{{1,2},{3,4}}'", '[[1,2],[3,4]]'],
      ["'{{{1},{2}}}'", '[[[1],[2]]]'],
    ],
    {
      // Shown and found as if their lower bounds were 1.
      foreign: [
        ["'[0:1]={5,6}'", '[5,6]', '"{5,6}"'],
        ["'[-2147483648:-2147483647]={6,7}'", '[6,7]'],
        ["'[2147483645:2147483646]={7,8}'", '[7,8]'],
        ["'[2:2][-1:0]={{5,6}}'", '[[5,6]]'],
        ["'[0:1]={5,NULL}'", '[5,null]'],
      ],
      wrong: ['"abc"', '5', 'true', '["x"]', '[true]', '[[1],2]', '[[1],[2,3]]'],
      beyond: ['[2147483648]', '[1,2.5]'],
    },
  ),
  array('bigint[]', [["'{9007199254740993,-9223372036854775808}'", '[9007199254740993,-9223372036854775808]']]),
  array('numeric[]', [
    ["'{1.50,NaN,12345678901234567890.1}'", '[1.50,"NaN",12345678901234567890.1]'],
    ["'{1.5}'", '[1.5]', '["1.5"]'],
  ]),
  array('numeric(4,1)[]', [["'{1.5}'", '[1.5]', '[1.50]']], { beyond: ['[1.55]', '[1000]'] }),
  array('double precision[]', [["'{0.1,1e20,NaN,-Infinity}'", '[0.1,1e+20,"NaN","-Infinity"]']]),
  array(
    'text[]',
    [
      ["'{a,b}'", '["a","b"]'],
      [`'{"a,b","c\\"d","e\\\\f","{g}"," h ",""}'`, JSON.stringify(['a,b', 'c"d', 'e\\f', '{g}', ' h ', ''])],
      [`'{NULL,"NULL",null,"null"}'`, '[null,"NULL",null,"null"]'],
      [`'{"😀é"}'`, '["😀é"]'],
      [`'{5}'`, '["5"]', '[5]'],
    ],
    { wrong: ['5', 'true', '"abc"'], beyond: ['["a\\u0000b"]', '["\\ud800"]'] },
  ),
  array('varchar(2)[]', [["'{ab,c}'", '["ab","c"]']], { beyond: ['["abc"]'] }),
  array('char(3)[]', [["'{ab,c}'", '["ab","c"]']]),
  array('boolean[]', [["'{t,f,NULL}'", '[true,false,null]']], { wrong: ['[1]', '["x"]'] }),
  array(
    'timestamp[]',
    [
      [
        "'{2020-01-02 03:04:05,2020-01-02 03:04:05.5,infinity}'",
        '["2020-01-02T03:04:05","2020-01-02T03:04:05.5","infinity"]',
      ],
    ],
    { wrong: ['["x"]', '[5]'], beyond: ['["2020-01-02T03:04:05.1234567"]'] },
  ),
  array('timestamptz[]', [
    ["'{2020-01-02 03:04:05+00}'", '["2020-01-02T03:04:05+00:00"]', '["2020-01-02T05:04:05+02:00"]'],
  ]),
  array('date[]', [["'{2020-01-02,NULL}'", '["2020-01-02",null]']]),
  array('jsonb[]', [[`'{"{\\"a\\": 1.50}","[1, 2]",NULL}'`, '[{"a": 1.50},[1, 2],null]']], {
    unfilterable: true,
    wrong: [],
  }),
  array('bytea[]', [[`'{"\\\\x00ff"}'`, String.raw`["\\x00ff"]`]], { wrong: ['["x"]'] }),
  array('uuid[]', [["'{6d1b7b4e-0f5a-4a55-9b57-3d2d1a1f7e01}'", '["6d1b7b4e-0f5a-4a55-9b57-3d2d1a1f7e01"]']], {
    wrong: ['["x"]'],
  }),
  array('bit(3)[]', [["'{101,010}'", '["101","010"]']], { beyond: ['["1"]'] }),
  array('inet[]', [["'{10.0.0.1,::1}'", '["10.0.0.1","::1"]']], { wrong: ['["x"]'] }),
  array('hue[]', [['\'{red,"dark blue"}\'', '["red","dark blue"]']], {
    before: `CREATE TYPE hue AS ENUM ('red', 'dark blue');`,
    beyond: ['["green"]'],
  }),
];
