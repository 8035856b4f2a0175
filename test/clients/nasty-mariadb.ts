import { at, common, longNumber, type NastyColumn, number, texts } from './nasty-column.ts';

export const mariadb: readonly NastyColumn[] = [
  ...common,
  {
    name: 'code',
    type: 'varchar(99) CHARACTER SET utf8mb4',
    duckdb: 'VARCHAR',
    values: [...texts, ["'a\\r\\nb\\Z'", 'a\r\nb\u001a'], ["''", null, '']],
  },
  {
    name: 'huge',
    type: 'bigint unsigned',
    duckdb: 'DECIMAL(20,0)',
    values: [longNumber('18446744073709551615'), number('1')],
  },
  {
    name: 'gone',
    type: 'date',
    duckdb: 'DATE',
    values: [
      ["'0000-00-00'", null],
      ["'2024-00-00'", '2024-00-00', null],
    ],
  },
  {
    name: 'seen',
    type: 'datetime(6)',
    duckdb: 'TIMESTAMP',
    values: [
      ["'2024-06-01 12:34:56.789012'", at('2024-06-01 12:34:56.789')],
      ["'0000-00-00 00:00:00'", null],
      ["'1000-01-01 00:00:00'", '1000-01-01T00:00:00.000', '1000-01-01 00:00:00'],
    ],
  },
  {
    name: 'span',
    type: 'time',
    duckdb: 'VARCHAR',
    values: [
      ["'838:59:59'", { seconds: 838 * 3600 + 59 * 60 + 59 }],
      ["'-01:00:00'", '-01:00:00'],
      ["'06:00:00'", { seconds: 21_600 }],
    ],
  },
  {
    name: 'doc',
    type: 'json',
    duckdb: 'VARCHAR',
    values: [['\'{"a": 9007199254740993}\'', '{"a": 9007199254740993}']],
  },
  { name: 'bin', type: 'blob', duckdb: 'BLOB', values: [["x'00ff41'", '\\x00ff41', '\\x00\\xFFA']] },
];
