/** Reads the columns and indexes of tables, and a table's definition: a string that changes whenever a column or index does. */
import type { TableName } from '../../model/catalog.ts';
import type { Answer, Questions, Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';

const columnsOf = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE,
  DATETIME_PRECISION, CHARACTER_SET_NAME, COLLATION_NAME, IS_NULLABLE, EXTRA, PRIVILEGES, COLUMN_DEFAULT FROM information_schema.COLUMNS`;
const indexesOf = `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, INDEX_TYPE, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS`;

/** Restricts an information_schema query to these tables. */
export function forTables(tables: readonly TableName[], query: string, tail: string): Statement {
  const values = tables.map((table) => table.name);
  const names = values.map(() => '?').join(', ') || "''";
  return { text: `${query} WHERE TABLE_SCHEMA = database() AND TABLE_NAME IN (${names}) ${tail}`, values };
}

export const columnsQuery = (tables: readonly TableName[]) =>
  forTables(tables, columnsOf, 'ORDER BY TABLE_NAME, ORDINAL_POSITION');
export const indexesQuery = (tables: readonly TableName[]) =>
  forTables(tables, indexesOf, 'ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX');

export const definition = (table: TableName): Questions<string | null> => ({
  statements: [columnsQuery([table]), indexesQuery([table])],
  read: (answers) => definitionIn(answers, table),
});

function definitionIn(answers: readonly Answer[], { name }: TableName): string | null {
  // The query may also return a table whose name differs only by case.
  const [columns = [], indexes = []] = answers.map(({ cells }) => cells.filter((row) => text(row[1]) === name));
  return columns.length === 0 ? null : definedAs(columns, indexes);
}

/** A table's definition as a string, built from its rows in both queries. */
export const definedAs = (columns: readonly (readonly Cell[])[], indexes: readonly (readonly Cell[])[] = []): string =>
  JSON.stringify([columns, indexes].map((rows) => rows.map((row) => row.slice(2).map((cell) => cell && text(cell)))));
