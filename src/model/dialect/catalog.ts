import type { Advisor } from '../advice.ts';
import type { Catalog, RowEstimate, SurveyedTable, TableName } from '../catalog.ts';
import type { Sizes } from '../plan.ts';
import type { Answer, Question, Questions, Statement } from '../rows.ts';
import type { Table } from '../table.ts';

/** Reads what the server says about tables. */
export interface CatalogDialect {
  /**
   * Columns, keys, rights and dependencies of tables. The number of statements doesn't depend on the number of tables. An answer is null if
   * the user has no right to run its statement.
   */
  catalog(tables: readonly TableName[]): Questions<Catalog, Answer | null>;
  /** A string that changes when the table is altered (`CatalogTable.definition`); null if there is no such table. */
  definition(table: TableName): Questions<string | null>;
  /** All tables and views of the database with their comments, sorted by schema and name. */
  readonly survey: Questions<readonly SurveyedTable[]>;
  /** The planner's estimates for all tables that have one. */
  readonly rowEstimates: Question<readonly RowEstimate[]>;
  /** Some rows of a table, whichever the server finds first, with the first characters of these columns. */
  sample(table: TableName, columns: readonly string[], rows: number, characters: number): Statement;
  /** The sizes in bytes of a table, its indexes and its database. */
  sizes(table: Table): Question<Sizes>;
  /** For `check --advise`: facts about the server, query plans, and SQL for its operator. */
  readonly advisor: Advisor;
}
