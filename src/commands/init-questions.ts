/** The prompts of `init` at a terminal. Without a terminal, options and safe defaults replace the answers. */
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { SurveyedTable } from '../model/catalog.ts';
import { reasonToLeaveOut } from '../propose/left-out.ts';
import { tableKey } from '../propose/privacy-in.ts';
import type { Choices } from '../propose/proposal.ts';
import { leakingViews } from '../propose/views.ts';
import { printable } from '../values/printable.ts';
import type { Ask } from './ask.ts';
import { isNamed, type Selection } from './select-tables.ts';
import type { SurveyedDatabase } from './survey-database.ts';

export interface Answers extends Pick<Choices, 'read' | 'write'> {
  /** The tables to propose, in order. */
  readonly tables: readonly SurveyedTable[];
  /** Whether the operator chose this table explicitly, by its name or in the list. */
  readonly named: (table: SurveyedTable) => boolean;
  /** Whether the operator chose to expose a column with personal data. */
  readonly shown: (table: SurveyedTable, column: string) => boolean;
}

interface CommandLineAccess {
  readonly read: Choices['read'] | null;
  readonly write: Choices['write'] | null;
}

/** Asks for whatever the options leave open. @param known whether the file already has a table, so that we don't ask about it again */
export async function answersFor(
  one: SurveyedDatabase,
  selection: Selection,
  { read, write }: CommandLineAccess,
  known: (table: SurveyedTable) => boolean,
  ask: Ask | null,
): Promise<Answers> {
  const fresh = one.selected.filter((table) => !known(table));
  const named = (table: SurveyedTable) => isNamed(table, selection);
  const defaults = { tables: fresh, named, shown: () => false, read: read ?? 'token', write: write ?? 'none' } as const;
  if (ask === null || fresh.length === 0) return defaults;

  const schemas = [...new Set(fresh.map((table) => table.schema))].filter((schema) => schema !== null);
  const asksForSchemas = schemas.length > 1 && selection.schemas.length === 0;
  const inSchemas = asksForSchemas ? await ask.many('Which schemas?', schemas.map(option), schemas) : schemas;
  const offered = fresh.filter(({ schema }) => schema === null || inSchemas.includes(schema));
  const asksForTables = selection.tables.length === 0;
  const tables = asksForTables ? await chosenTables(one, offered, ask) : offered;
  if (tables.length === 0) return { ...defaults, tables };
  const shown = await shownColumns(one, tables, ask);
  return {
    tables,
    // Matching a pattern such as `*` is not an explicit choice, so a log table, for example, is still left out.
    named: (table) => named(table) || (asksForTables && tables.includes(table)),
    shown: (table, column) => shown.has(JSON.stringify([tableKey(table), column])),
    read: read ?? (await ask.one('Who may read?', reading)),
    write: write ?? (await ask.one('Who may write?', writing)),
  };
}

const option = (value: string) => ({ value, label: printable(value) });
const reading = [
  { value: 'token', label: 'callers with a token' },
  { value: 'public', label: 'everybody who reaches the gateway' },
] as const;
const writing = [
  { value: 'none', label: 'nobody' },
  { value: 'token', label: 'callers with a token that may write' },
] as const;

/** Lets the operator choose from all tables; the tables that we would propose are preselected. */
async function chosenTables(
  { database, catalog, all, privacy }: SurveyedDatabase,
  offered: readonly SurveyedTable[],
  ask: Ask,
): Promise<readonly SurveyedTable[]> {
  const leaks = leakingViews(all, catalog, privacy, 'unwanted');
  const described = new Map(catalog.tables.map((table) => [tableKey(table), table]));
  const options = offered.map((table) => {
    const why =
      reasonToLeaveOut(table, described.get(tableKey(table)) ?? null, catalog.user, 'unwanted') ??
      leaks.get(tableKey(table)) ??
      null;
    const size = table.rows === null ? table.is : `about ${table.rows.toLocaleString('en')} rows`;
    const label = printable(table.schema === null ? table.name : `${table.schema}.${table.name}`);
    return { value: tableKey(table), label, hint: printable(why ?? size), isProposed: why === null };
  });
  const proposed = options.filter(({ isProposed }) => isProposed).map(({ value }) => value);
  const chosen = new Set(await ask.many(`Which tables of ${printable(database.name)}?`, options, proposed));
  return offered.filter((table) => chosen.has(tableKey(table)));
}

async function shownColumns(
  { catalog, privacy }: SurveyedDatabase,
  tables: readonly SurveyedTable[],
  ask: Ask,
): Promise<ReadonlySet<string>> {
  const chosen = new Set(tables.map(tableKey));
  const personal = catalog.tables.flatMap((table) =>
    chosen.has(tableKey(table))
      ? table.columns
          .filter((column) => privacy(table, column) === 'personal')
          .map(({ name }) => ({
            value: JSON.stringify([tableKey(table), name]),
            label: printable(`${table.name}.${name}`),
          }))
      : [],
  );
  if (personal.length === 0) return new Set();
  return new Set(await ask.many('These columns look personal and stay hidden. Show any of them?', personal, []));
}

/** Finds the resource that serves a table; its id may differ from the table's name. */
export const resourceOf = (table: SurveyedTable, database: string, settings: Settings): ResourceSettings | undefined =>
  [...settings.resources.values()].find(
    (one) => one.database === database && one.table === table.name && one.schema === table.schema,
  );
