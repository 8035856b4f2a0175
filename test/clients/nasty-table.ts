/** A table of values that a file format easily spoils, with what independent readers must see in files. */

/** What a reader sees in a cell of a workbook: dates and times as what `read_files.py` makes of them. */
export type Seen = string | number | boolean | null | { readonly at: string } | { readonly seconds: number };

export interface NastyColumn {
  readonly name: string;
  readonly type: string;
  /** Each value as SQL, and as seen in a workbook. */
  readonly values: readonly (readonly [sql: string, xlsx: Seen])[];
}

const at = (text: string) => ({ at: text });
const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
const same = (value: string) => [quoted(value), value] as const;
const number = (value: string) => [value, Number(value)] as const;
const longText = (value: string) => [value, value] as const;

const texts = [
  ...['00001', '=SUM(A1)', '+1', '@x', 'a\nb', '\t', "it's", '<&>"', '_x0041_', '1e5', 'TRUE', '1900-01-01'].map(same),
  ...['ü€😀', ' padded ', '\ufeffbom'].map(same),
];
const common: readonly NastyColumn[] = [
  {
    name: 'big',
    type: 'bigint',
    values: [
      ...['9007199254740993', '-9223372036854775808', '1234567890123456'].map(longText),
      ...['999999999999999', '-1', '0'].map(number),
    ],
  },
  {
    name: 'money',
    type: 'decimal(38,10)',
    values: [
      ['12345678901234567.0123456789', '12345678901234567.0123456789'],
      ['-0.0000000001', -1e-10],
      ['12345.6789', 12345.6789],
      ['9999999999999999999999999999.9999999999', '9999999999999999999999999999.9999999999'],
    ],
  },
  { name: 'd64', type: 'double precision', values: ['0.1', '-1.7976931348623157e308', '5e-324', '1e15'].map(number) },
  {
    name: 'day',
    type: 'date',
    values: [
      ["'1890-01-01'", '1890-01-01'],
      ["'1900-02-28'", '1900-02-28'],
      ["'1900-03-01'", at('1900-03-01 00:00:00.000')],
      ["'2024-02-29'", at('2024-02-29 00:00:00.000')],
      ["'9999-12-31'", at('9999-12-31 00:00:00.000')],
    ],
  },
];

const postgres: readonly NastyColumn[] = [
  ...common,
  { name: 'code', type: 'text', values: [...texts, ["E'a\\r\\nb\\u0001'", 'a\r\nb\u0001'], ["''", null]] },
  {
    name: 'odd',
    type: 'numeric',
    values: [
      ["'NaN'", 'NaN'],
      ['1e200', 1e200],
      ['0.10', 0.1],
    ],
  },
  {
    name: 'f32',
    type: 'real',
    values: [
      ["'NaN'", 'NaN'],
      ["'-Infinity'", '-Infinity'],
      ['0.1', 0.1],
    ],
  },
  {
    name: 'until',
    type: 'date',
    values: [
      ["'infinity'", 'infinity'],
      ["'0044-03-15 BC'", '0044-03-15 BC'],
      ["'12000-01-01'", '12000-01-01'],
    ],
  },
  {
    name: 'seen',
    type: 'timestamptz',
    values: [
      ["'2024-06-01 12:34:56.789012+02'", at('2024-06-01 10:34:56.789')],
      ["'1899-12-31 23:59:59.5+00'", '1899-12-31T23:59:59.5+00:00'],
      ["'-infinity'", '-infinity'],
    ],
  },
  { name: 'local', type: 'timestamp', values: [["'2024-06-01 12:00:00'", at('2024-06-01 12:00:00.000')]] },
  {
    name: 'clock',
    type: 'time',
    values: [
      ["'23:59:59.5'", { seconds: 86_399.5 }],
      ["'24:00:00'", '24:00:00'],
    ],
  },
  {
    name: 'yes',
    type: 'boolean',
    values: [
      ['true', true],
      ['false', false],
    ],
  },
  {
    name: 'list',
    type: 'text[]',
    values: [
      ['\'{a,NULL,"b,\\"c"}\'', '["a",null,"b,\\"c"]'],
      ["'{}'", '[]'],
    ],
  },
  {
    name: 'doc',
    type: 'json',
    values: [['\'{"a": 1.10, "b": 12345678901234567890}\'', '{"a": 1.10, "b": 12345678901234567890}']],
  },
  { name: 'u', type: 'uuid', values: [same('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')] },
  { name: 'bin', type: 'bytea', values: [["'\\x00ff41'", '\\x00ff41']] },
];

const mariadb: readonly NastyColumn[] = [
  ...common,
  {
    name: 'code',
    type: 'varchar(99) CHARACTER SET utf8mb4',
    values: [...texts, ["'a\\r\\nb\\Z'", 'a\r\nb\u001a'], ["''", null]],
  },
  { name: 'huge', type: 'bigint unsigned', values: [longText('18446744073709551615'), number('1')] },
  {
    name: 'gone',
    type: 'date',
    values: [
      ["'0000-00-00'", null],
      ["'2024-00-00'", '2024-00-00'],
    ],
  },
  {
    name: 'seen',
    type: 'datetime(6)',
    values: [
      ["'2024-06-01 12:34:56.789012'", at('2024-06-01 12:34:56.789')],
      ["'0000-00-00 00:00:00'", null],
      ["'1000-01-01 00:00:00'", '1000-01-01T00:00:00.000'],
    ],
  },
  {
    name: 'span',
    type: 'time',
    values: [
      ["'838:59:59'", { seconds: 838 * 3600 + 59 * 60 + 59 }],
      ["'-01:00:00'", '-01:00:00'],
      ["'06:00:00'", { seconds: 21_600 }],
    ],
  },
  { name: 'doc', type: 'json', values: [['\'{"a": 1.10}\'', '{"a": 1.10}']] },
  { name: 'bin', type: 'blob', values: [["x'00ff41'", '\\x00ff41']] },
];

export const columnsFor = (isMysql: boolean): readonly NastyColumn[] => (isMysql ? mariadb : postgres);

/** SQL for the table `nasty`: a record for each nth value of the columns, and NULL where a column has fewer. */
export function script(isMysql: boolean): string {
  const columns = columnsFor(isMysql);
  const rows = Array.from({ length: rowCount(columns) }, (_, nth) => [
    `${nth + 1}`,
    ...columns.map(({ values }) => values[nth]?.[0] ?? 'NULL'),
  ]);
  const types = columns.map(({ name, type }) => `${name} ${type}${isMysql ? ' NULL' : ''}`).join(', ');
  return `${isMysql ? "SET SESSION sql_mode = '';" : ''}
    CREATE TABLE nasty (id int PRIMARY KEY, ${types})${isMysql ? ' ENGINE=InnoDB' : ''};
    INSERT INTO nasty VALUES ${rows.map((row) => `(${row.join(', ')})`).join(',\n')};`;
}

export const rowCount = (columns: readonly NastyColumn[]): number =>
  Math.max(...columns.map(({ values }) => values.length));
