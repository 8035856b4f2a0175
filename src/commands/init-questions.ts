/** What `init` asks a person; elsewhere, the flags and safe defaults answer. */
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
  /** Tables that were chosen one by one. */
  readonly named: (table: SurveyedTable) => boolean;
  /** Personal columns that are shown all the same. */
  readonly shown: (table: SurveyedTable, column: string) => boolean;
}

interface Chosen {
  readonly read: Choices['read'] | null;
  readonly write: Choices['write'] | null;
}

/** @param known the tables of the database that the file has already */
export async function answersFor(
  one: SurveyedDatabase,
  selection: Selection,
  { read, write }: Chosen,
  known: (table: SurveyedTable) => boolean,
  ask: Ask | null,
): Promise<Answers> {
  const fresh = one.selected.filter((table) => !known(table));
  const named = (table: SurveyedTable) => isNamed(table, selection);
  const nobody = { tables: fresh, named, shown: () => false, read: read ?? 'token', write: write ?? 'none' } as const;
  if (ask === null || fresh.length === 0) return nobody;

  const schemas = [...new Set(fresh.map((table) => table.schema))].filter((schema) => schema !== null);
  const isAsked = schemas.length > 1 && selection.schemas.length === 0;
  const inSchemas = isAsked ? await ask.many('Which schemas?', schemas.map(option), schemas) : schemas;
  const offered = fresh.filter(({ schema }) => schema === null || inSchemas.includes(schema));
  const isChosen = selection.tables.length === 0;
  const tables = isChosen ? await chosenTables(one, offered, ask) : offered;
  if (tables.length === 0) return { ...nobody, tables };
  const shown = await shownColumns(one, tables, ask);
  return {
    tables,
    // A pattern chooses nothing by itself: the tables that it finds are left out for the same reasons as elsewhere.
    named: (table) => named(table) || (isChosen && tables.includes(table)),
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

/** All tables, those chosen that would be proposed. */
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

/** The resource of the table in a configuration, whatever its id. */
export const resourceOf = (table: SurveyedTable, database: string, settings: Settings): ResourceSettings | undefined =>
  [...settings.resources.values()].find(
    (one) => one.database === database && one.table === table.name && one.schema === table.schema,
  );
