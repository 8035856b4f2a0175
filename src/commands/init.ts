import { dirname, resolve } from 'node:path';
import type { Database, ServerDatabase, Settings } from '../config/assemble.ts';
import type { Environment } from '../config/load.ts';
import { type DatabaseOfUrl, databaseOfUrl } from '../config/url.ts';
import type { SurveyedTable } from '../model/catalog.ts';
import type { Choices } from '../propose/proposal.ts';
import { printable } from '../values/printable.ts';
import { mustBeWritable, settingsIn, textOf } from './configuration-file.ts';
import type { Part } from './configuration-text.ts';
import { answersFor, resourceOf } from './init-questions.ts';
import { newColumnsOf } from './known-tables.ts';
import { Refused } from './refused.ts';
import type { Selection } from './select-tables.ts';
import { proposeFor, surveyDatabase } from './survey-database.ts';
import type { Terminal } from './terminal.ts';
import { uuidOf } from './uuid.ts';
import { writeProposal } from './write-proposal.ts';

export interface InitOptions extends Selection {
  readonly file: string;
  /** Who may read and who may write, from the options `--read` and `--write`; null without the option. */
  readonly read: Choices['read'] | null;
  readonly write: Choices['write'] | null;
  readonly ids: 'table' | 'uuid';
  /** The id for the table if only one is added; null to derive it from the table's name. */
  readonly id: string | null;
  readonly merge: boolean;
  /** Whether we may read values from the tables to detect personal data. */
  readonly samples: boolean;
  readonly dryRun: boolean;
}

/** A database to survey. */
interface Source {
  readonly database: ServerDatabase;
  /** The entry for the file; null if the file already has the database. */
  readonly added: DatabaseOfUrl | null;
  readonly selection: Selection;
}

/**
 * Proposes a configuration for databases, writes it and checks it.
 * @returns whether the written file can be served
 */
export async function init(urls: readonly string[], options: InitOptions, terminal: Terminal): Promise<boolean> {
  const existing = textOf(options.file);
  if (!options.dryRun) mustBeWritable(options.file);
  if (existing !== null && !options.merge && !options.dryRun)
    throw new Refused(`${options.file} exists: --merge adds to it, -o FILE writes another, --dry-run only shows`);
  const isMerged = existing !== null && options.merge;
  const before = isMerged ? settingsIn(options.file, existing, terminal.environment) : null;
  const sources: Source[] = [];
  for (const url of urls) {
    const taken = [
      ...(before?.databases.keys() ?? []),
      ...sources.flatMap(({ database, added }) => [database.name, ...(added === null ? [] : [added.variable])]),
    ];
    const source = sourceOf(url, new Set(taken), before, options, terminal);
    if (sources.some(({ database }) => isSame(database, source.database)))
      throw new Refused(`two URLs mean one database: ${source.database.connection.database}`);
    sources.push(source);
  }
  return proposeAndWrite(sources, options, { existing: isMerged ? existing : null, before }, terminal);
}

/** Resolves `${NAME}` and `${file:PATH}` as a configuration in this file would. */
const outsideOf = (environment: Environment, file: string) => ({
  variable: (name: string) => environment[name] ?? null,
  file: (path: string) => textOf(resolve(dirname(file), path))?.replace(/\r?\n$/, '') ?? null,
});

/** Adds tables to a configuration, as `database.table` or `database.schema.table` with a database of the configuration. */
export async function add(names: readonly string[], options: InitOptions, terminal: Terminal): Promise<boolean> {
  const existing = textOf(options.file);
  if (existing === null) throw new Refused(`${options.file} does not exist`);
  if (!options.dryRun) mustBeWritable(options.file);
  const before = settingsIn(options.file, existing, terminal.environment);
  const isTaken = [...before.resources.values()].some(({ name, aliases }) =>
    [name, ...aliases].some((id) => id === options.id),
  );
  if (isTaken) throw new Refused(`--id must be an id that ${options.file} does not have, got: ${options.id}`);
  const tablesByDatabase = new Map<Database, string[]>();
  for (const name of names) {
    const [database] = [...before.databases.values()]
      .filter((one) => name.startsWith(`${one.name}.`))
      .toSorted((a, b) => b.name.length - a.name.length);
    if (database === undefined)
      throw new Refused(
        `${JSON.stringify(name)} must be DATABASE.TABLE, with a database of ${options.file}: ${[...before.databases.keys()].join(', ')}`,
      );
    tablesByDatabase.set(database, [...(tablesByDatabase.get(database) ?? []), name.slice(database.name.length + 1)]);
  }
  const sources = [...tablesByDatabase].map(([database, tables]): Source => {
    if (!('connection' in database))
      throw new Refused(`database ${database.name} is embedded: its tables are written by hand`);
    const selection = { schemas: [], tables, except: [], each: 'one' } as const;
    return { database, added: null, selection };
  });
  return proposeAndWrite(sources, { ...options, merge: true }, { existing, before }, terminal);
}

async function proposeAndWrite(
  sources: readonly Source[],
  options: InitOptions,
  { existing, before }: Before,
  terminal: Terminal,
): Promise<boolean> {
  const { ask } = terminal;
  const passwords: Record<string, string> = {};
  const taken = new Set(
    before === null ? [] : [...before.resources.values()].flatMap(({ name, aliases }) => [name, ...aliases]),
  );
  const parts: Part[] = [];
  for (const { database, added, selection } of sources) {
    const askPassword = ask === null ? null : () => ask.secret(`Password of ${database.name}?`);
    const surveyed = await surveyDatabase(database, selection, options.samples, askPassword);
    try {
      const { name, client, connection } = surveyed.database;
      const resourceIn = (table: SurveyedTable) => (before === null ? undefined : resourceOf(table, name, before));
      const isKnown = (table: SurveyedTable) => resourceIn(table) !== undefined;
      // `add` names its tables, so a table that the file already has is an error.
      const existingTable = selection.each === 'one' ? surveyed.selected.find(isKnown) : undefined;
      if (existingTable !== undefined)
        throw new Refused(
          `${options.file} has ${printable(existingTable.name)} already: its resource is ${resourceIn(existingTable)?.name}`,
        );
      const answers = await answersFor(surveyed, selection, options, isKnown, ask);
      const id = (table: SurveyedTable) => idFor(table, name, options);
      const proposal = proposeFor(surveyed, { ...answers, leaveOut: 'unwanted', id }, answers.tables, taken);
      if (before !== null && selection.each === 'any')
        for (const line of newColumnsOf(surveyed, before)) terminal.explain(line);
      const hasSamePassword = connection.password === database.connection.password;
      const written = added === null ? '' : hasSamePassword ? added.written : added.writtenWithPassword;
      // Move a literal password to a variable. `written` equals the URL if its password already is a variable.
      if (added !== null && written !== added.url && connection.password !== null)
        passwords[added.variable] = connection.password;
      const { defaultSchema, server } = surveyed;
      const isNew = added !== null;
      parts.push({ database: { name, client, connection: written }, defaultSchema, server, isNew, proposal });
    } finally {
      await surveyed.survey.close();
    }
  }
  const { file, dryRun } = options;
  const isAddition = sources.some(({ selection }) => selection.each === 'one');
  return writeProposal({ parts, file, dryRun, existing, passwords, isAddition }, terminal);
}

/** The existing file and its settings; both null for a new file. */
interface Before {
  readonly existing: string | null;
  readonly before: Settings | null;
}

function idFor(table: SurveyedTable, database: string, { id, ids }: InitOptions): ReturnType<Choices['id']> {
  if (id !== null) return { id, named: false };
  return ids === 'uuid' ? { id: uuidOf(database, table), named: true } : null;
}

function sourceOf(
  url: string,
  taken: ReadonlySet<string>,
  before: Settings | null,
  options: InitOptions,
  terminal: Terminal,
): Source {
  const read = databaseOfUrl(url, outsideOf(terminal.environment, options.file), taken);
  if (!read.ok) throw new Refused(read.why);
  const existingDatabase =
    before === null ? undefined : [...before.databases.values()].find((one) => isSame(one, read.database));
  return existingDatabase !== undefined && 'connection' in existingDatabase
    ? { database: existingDatabase, added: null, selection: options }
    : { database: read.database, added: read, selection: options };
}

/** Whether two entries are the same database on the same server; their users may differ. */
function isSame(one: Database, other: ServerDatabase): boolean {
  if (!('connection' in one)) return false;
  const at = ({ client, connection: { host, port, socketPath, database } }: ServerDatabase) =>
    JSON.stringify([client, host, port, socketPath, database]);
  return at(one) === at(other);
}
