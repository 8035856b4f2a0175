import { at, common, type NastyColumn, same, texts } from './nasty-column.ts';

export const postgres: readonly NastyColumn[] = [
  ...common,
  {
    name: 'code',
    type: 'text',
    duckdb: 'VARCHAR',
    values: [...texts, ["E'a\\r\\nb\\u0001'", 'a\r\nb\u0001'], ["''", null, '']],
  },
  {
    name: 'odd',
    type: 'numeric',
    duckdb: 'VARCHAR',
    values: [
      ["'NaN'", 'NaN'],
      ['1e200', 1e200, `1${'0'.repeat(200)}`],
      ['0.10', 0.1],
    ],
  },
  {
    name: 'f32',
    type: 'real',
    duckdb: 'FLOAT',
    values: [
      ["'NaN'", 'NaN', 'nan'],
      ["'-Infinity'", '-Infinity', '-inf'],
      ['0.1', 0.1],
    ],
  },
  {
    name: 'until',
    type: 'date',
    duckdb: 'DATE',
    values: [
      ["'infinity'", 'infinity', null],
      ["'0044-03-15 BC'", '0044-03-15 BC', '0044-03-15 (BC)'],
      ["'12000-01-01'", '12000-01-01'],
    ],
  },
  {
    name: 'seen',
    type: 'timestamptz',
    duckdb: 'TIMESTAMP WITH TIME ZONE',
    values: [
      ["'2024-06-01 12:34:56.789012+02'", at('2024-06-01 10:34:56.789'), '2024-06-01 10:34:56.789012+00'],
      ["'1899-12-31 23:59:59.5+00'", '1899-12-31T23:59:59.5+00:00', '1899-12-31 23:59:59.5+00'],
      ["'-infinity'", '-infinity', null],
    ],
  },
  {
    name: 'local',
    type: 'timestamp',
    duckdb: 'TIMESTAMP',
    values: [["'2024-06-01 12:00:00'", at('2024-06-01 12:00:00.000')]],
  },
  {
    name: 'clock',
    type: 'time',
    duckdb: 'TIME',
    values: [
      ["'23:59:59.5'", { seconds: 86_399.5 }],
      ["'24:00:00'", '24:00:00', null],
    ],
  },
  {
    name: 'yes',
    type: 'boolean',
    duckdb: 'BOOLEAN',
    values: [
      ['true', true],
      ['false', false],
    ],
  },
  {
    name: 'list',
    type: 'text[]',
    duckdb: 'VARCHAR[]',
    values: [
      ['\'{a,NULL,"b,\\"c"}\'', '["a",null,"b,\\"c"]', `[a, NULL, 'b,"c']`],
      ["'{}'", '[]'],
    ],
  },
  {
    name: 'doc',
    type: 'json',
    duckdb: 'VARCHAR',
    values: [['\'{"a": 1.10, "b": 12345678901234567890}\'', '{"a": 1.10, "b": 12345678901234567890}']],
  },
  { name: 'u', type: 'uuid', duckdb: 'UUID', values: [same('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')] },
  { name: 'bin', type: 'bytea', duckdb: 'BLOB', values: [["'\\x00ff41'", '\\x00ff41', '\\x00\\xFFA']] },
];
