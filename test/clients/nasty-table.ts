/** Tables of values that a file format easily spoils. */
import type { NastyColumn } from './nasty-column.ts';
import { mariadb } from './nasty-mariadb.ts';
import { postgres } from './nasty-postgres.ts';

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

/** What DuckDB prints of the nth value of a column. */
export function printed({ values }: NastyColumn, nth: number): string | null {
  const [sql = null, xlsx = null, parquet] = values[nth] ?? [];
  if (parquet !== undefined) return parquet;
  return typeof xlsx === 'string' || xlsx === null ? xlsx : (sql?.replaceAll("'", '') ?? null);
}

export const rowCount = (columns: readonly NastyColumn[]): number =>
  Math.max(...columns.map(({ values }) => values.length));

/** SQL for the table `long`: texts around the limit of a cell, and one that Parquet writes in another way. */
export const longTexts = (isMysql: boolean): string =>
  `CREATE TABLE ${isMysql ? '`long`' : 'long'} (id int PRIMARY KEY, t ${isMysql ? 'longtext CHARACTER SET utf8mb4' : 'text'});
   INSERT INTO ${isMysql ? '`long`' : 'long'} VALUES (1, repeat('é', 32767)), (2, repeat('x', 32768)), (3, repeat('€', 1500000)), (4, 'after');`;
