import type { Advisor } from '../advice.ts';
import type { Catalog, SurveyedTable, TableName } from '../catalog.ts';
import type { Sizes } from '../plan.ts';
import type { Answer, Statement } from '../rows.ts';
import type { Table } from '../table.ts';

/** Reads what the server says about tables. The answers of several queries come in the order of the queries. */
export interface CatalogDialect {
  /** The queries for the columns, keys, rights and dependencies of tables: their number doesn't depend on the number of tables. */
  catalogQueries(tables: readonly TableName[]): readonly Statement[];
  /** An answer is null if the user lacks the right to its query. */
  catalog(answers: readonly (Answer | null)[]): Catalog;
  /** The queries for one table's definition, a text that changes when the table is altered. */
  definitionQueries(table: TableName): readonly Statement[];
  /** The same text as in the catalogue; null if there is no such table. */
  definition(answers: readonly Answer[], table: TableName): string | null;
  /** The queries for all tables and views of the database, with their comments. */
  readonly surveyQueries: readonly Statement[];
  /** Sorted by schema and name. */
  surveyed(answers: readonly Answer[]): readonly SurveyedTable[];
  /** Some rows of a table, whichever the server finds first, with the first characters of these columns. */
  sample(table: TableName, columns: readonly string[], rows: number, characters: number): Statement;
  /** The query for the bytes that a table, its indexes and its database take. */
  sizes(table: Table): Statement;
  sized(answer: Answer): Sizes;
  /** For `check --advise`: facts about the server, query plans, and SQL for its operator. */
  readonly advisor: Advisor;
}
