/** From a database to a proposal: what `init`, `add` and `serve URL` have in common. */
import type { ServerDatabase } from '../config/assemble.ts';
import { openSurvey, type Survey, UnreadCatalog } from '../gateway/survey.ts';
import type { Catalog, SurveyedTable } from '../model/catalog.ts';
import { serverEngine } from '../model/engines.ts';
import { tableKey } from '../propose/privacy-in.ts';
import { type Choices, type Proposal, propose } from '../propose/proposal.ts';
import { suggestion } from '../values/nearest.ts';
import { Refused } from './refused.ts';
import { type Selection, select } from './select-tables.ts';

/** A database whose tables are listed and described; nothing is sampled yet. */
export interface SurveyedDatabase {
  readonly database: ServerDatabase;
  readonly defaultSchema: string | null;
  /** `MariaDB 10.11.6`. */
  readonly server: string;
  readonly all: readonly SurveyedTable[];
  readonly selected: readonly SurveyedTable[];
  readonly catalog: Catalog;
  readonly survey: Survey;
}

/** Throws `Refused` where the database cannot be used, or a pattern matches nothing. */
export async function surveyDatabase(
  database: ServerDatabase,
  selection: Selection,
  askPassword: (() => Promise<string>) | null = null,
): Promise<SurveyedDatabase> {
  let survey = await openSurvey(database);
  let used = database;
  if ('why' in survey && survey.isLogin && askPassword !== null && database.connection.password === null) {
    used = { ...database, connection: { ...database.connection, password: await askPassword() } };
    survey = await openSurvey(used);
  }
  if ('why' in survey) throw new Refused(`database ${database.name} cannot be used: ${survey.why}`);
  try {
    const { schema: defaultSchema } = serverEngine(database.client);
    if (defaultSchema === null && selection.schemas.length > 0)
      throw new Refused(
        `--schema is not for database ${database.name}: ${serverEngine(database.client).product} has no schemas`,
      );
    const { selected, unmatched, ambiguous } = select(survey.tables, selection);
    if (unmatched.length > 0) {
      const names = survey.tables.flatMap(({ schema, name }) => (schema === null ? [name] : [name, schema]));
      const them = unmatched.map((pattern) => JSON.stringify(pattern) + suggestion(pattern, names)).join(', ');
      throw new Refused(`no table or schema of database ${database.name} matches ${them}`);
    }
    if (ambiguous.length > 0) {
      const them = ambiguous.map((name) => JSON.stringify(name)).join(', ');
      throw new Refused(
        `several schemas of database ${database.name} have a table ${them}: write DATABASE.SCHEMA.TABLE`,
      );
    }
    // All of them: a view shows the tables below it.
    const catalog = await survey.describe(survey.tables).catch((error: unknown) => {
      throw error instanceof UnreadCatalog
        ? new Refused(`database ${database.name} cannot be used: ${error.message}`)
        : error;
    });
    return {
      database: used,
      defaultSchema,
      server: /^\S+ [\d.]+/.exec(survey.server.versionText)?.[0] ?? survey.server.versionText,
      all: survey.tables,
      selected,
      catalog,
      survey,
    };
  } catch (error) {
    await survey.close();
    throw error;
  }
}

/**
 * Samples the tables, and proposes their resources.
 * @param tables the selected ones, or some of them
 * @param taken ids of other resources, which grow by those of the proposal
 */
export async function proposeFor(
  { database, defaultSchema, all, catalog, survey }: SurveyedDatabase,
  choices: Choices,
  tables: readonly SurveyedTable[],
  taken: Set<string>,
): Promise<Proposal> {
  const keys = new Set(tables.map(tableKey));
  const flags = await survey.countFlags(catalog.tables.filter((table) => keys.has(tableKey(table))));
  return propose({ name: database.name, defaultSchema, tables, all, catalog, flags }, choices, taken);
}
