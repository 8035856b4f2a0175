/** Columns of values that a file format easily spoils, with what independent readers must see in files. */

/** What a reader sees in a cell of a workbook: dates and times as what `read_files.py` makes of them. */
export type Seen = string | number | boolean | null | { readonly at: string } | { readonly seconds: number };

export interface NastyColumn {
  readonly name: string;
  readonly type: string;
  /** The type that DuckDB sees in a Parquet file. */
  readonly duckdb: string;
  /**
   * Each value as SQL, as seen in a workbook, and as DuckDB prints that of a Parquet file. Without the last, that is the text of the
   * workbook, or the SQL without its quotes.
   */
  readonly values: readonly (readonly [sql: string, xlsx: Seen, parquet?: string | null])[];
}

export const at = (text: string) => ({ at: text });
const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
export const same = (value: string) => [quoted(value), value] as const;
export const number = (value: string) => [value, Number(value)] as const;
export const longNumber = (value: string) => [value, value] as const;

export const texts = [
  ...['00001', '=SUM(A1)', '+1', '@x', 'a\nb', '\t', "it's", '<&>"', '_x0041_', '1e5', 'TRUE', '1900-01-01'].map(same),
  ...['ü€😀', ' padded ', '\ufeffbom'].map(same),
];
export const common: readonly NastyColumn[] = [
  {
    name: 'big',
    type: 'bigint',
    duckdb: 'BIGINT',
    values: [
      ...['9007199254740993', '-9223372036854775808', '1234567890123456'].map(longNumber),
      ...['999999999999999', '-1', '0'].map(number),
    ],
  },
  {
    name: 'money',
    type: 'decimal(38,10)',
    duckdb: 'DECIMAL(38,10)',
    values: [
      ['12345678901234567.0123456789', '12345678901234567.0123456789'],
      ['-0.0000000001', -1e-10],
      ['12345.6789', 12345.6789, '12345.6789000000'],
      ['9999999999999999999999999999.9999999999', '9999999999999999999999999999.9999999999'],
    ],
  },
  {
    name: 'd64',
    type: 'double precision',
    duckdb: 'DOUBLE',
    values: [
      ...['0.1', '5e-324'].map(number),
      ['-1.7976931348623157e308', -Number.MAX_VALUE, '-1.7976931348623157e+308'],
      ['1e15', 1e15, '1000000000000000.0'],
    ],
  },
  {
    name: 'day',
    type: 'date',
    duckdb: 'DATE',
    values: [
      ["'1890-01-01'", '1890-01-01'],
      ["'1900-02-28'", '1900-02-28'],
      ["'1900-03-01'", at('1900-03-01 00:00:00.000')],
      ["'2024-02-29'", at('2024-02-29 00:00:00.000')],
      ["'9999-12-31'", at('9999-12-31 00:00:00.000')],
    ],
  },
];
