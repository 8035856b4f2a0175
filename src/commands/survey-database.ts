/** Finds a database's tables and proposes resources for them. Used by `init`, `add` and `serve URL`. */
import type { ServerDatabase } from '../config/assemble.ts';
import type { Catalog, CatalogTable, SurveyedTable } from '../model/catalog.ts';
import { serverEngine } from '../model/engines.ts';
import { type PrivacyOf, privacyIn, tableKey } from '../propose/privacy-in.ts';
import { type Choices, type Proposal, propose } from '../propose/proposal.ts';
import type { Evidence } from '../propose/values.ts';
import { openSurvey, type Survey, UnreadCatalog } from '../tables/survey.ts';
import { suggestion } from '../values/nearest.ts';
import { Refused } from './refused.ts';
import { type Selection, select } from './select-tables.ts';

/** A database with its tables, its catalogue, and samples from the selected tables. */
export interface SurveyedDatabase {
  readonly database: ServerDatabase;
  readonly defaultSchema: string | null;
  /** Product and version, such as `MariaDB 10.11.6`. */
  readonly server: string;
  readonly all: readonly SurveyedTable[];
  readonly selected: readonly SurveyedTable[];
  readonly catalog: Catalog;
  /** What the sampled rows of the selected tables suggest; empty without samples. */
  readonly evidence: ReadonlyMap<CatalogTable, Evidence>;
  /** How private a column is, judged by its name, its comment and its sampled values. */
  readonly privacy: PrivacyOf;
  readonly survey: Survey;
}

/** Surveys a database. Throws `Refused` if it cannot be used, or if a pattern matches no table. */
export async function surveyDatabase(
  database: ServerDatabase,
  selection: Selection,
  withSamples: boolean,
  askPassword: (() => Promise<string>) | null = null,
): Promise<SurveyedDatabase> {
  let survey = await openSurvey(database);
  let withLogin = database;
  if ('why' in survey && survey.isLoginRefused && askPassword !== null && database.connection.password === null) {
    withLogin = { ...database, connection: { ...database.connection, password: await askPassword() } };
    survey = await openSurvey(withLogin);
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
      const quoted = unmatched.map((pattern) => JSON.stringify(pattern) + suggestion(pattern, names)).join(', ');
      throw new Refused(`no table or schema of database ${database.name} matches ${quoted}`);
    }
    if (ambiguous.length > 0) {
      const quoted = ambiguous.map((name) => JSON.stringify(name)).join(', ');
      throw new Refused(
        `several schemas of database ${database.name} have a table ${quoted}: write DATABASE.SCHEMA.TABLE`,
      );
    }
    // Describe all tables, not only the selected ones: a view may show data from a table that is not selected.
    const catalog = await survey.describe(survey.tables).catch((error: unknown) => {
      throw error instanceof UnreadCatalog
        ? new Refused(`database ${database.name} cannot be used: ${error.message}`)
        : error;
    });
    const keys = new Set(selected.map(tableKey));
    // Views are not sampled, because computing their rows may be expensive.
    const sampled = catalog.tables.filter((table) => table.kind === 'table' && keys.has(tableKey(table)));
    const evidence = withSamples ? await survey.sample(sampled) : new Map<CatalogTable, Evidence>();
    const notes = new Map(survey.tables.map((table) => [tableKey(table), table.notes]));
    return {
      evidence,
      privacy: (table, column) =>
        privacyIn(table, column, { notes: notes.get(tableKey(table)), privacy: evidence.get(table)?.privacy }),
      database: withLogin,
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
 * Proposes resources for tables.
 * @param tables some or all of the selected tables
 * @param taken the ids in use, to which the proposal's ids are added
 */
export function proposeFor(
  { database, defaultSchema, all, catalog, evidence, privacy }: SurveyedDatabase,
  choices: Choices,
  tables: readonly SurveyedTable[],
  taken: Set<string>,
): Proposal {
  return propose({ name: database.name, defaultSchema, tables, all, catalog, evidence, privacy }, choices, taken);
}
