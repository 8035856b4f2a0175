import { randomBytes } from 'node:crypto';
import type { Database, ServerDatabase, Settings } from '../config/assemble.ts';
import { formatComplaint } from '../config/complaints.ts';
import { loadSettings } from '../config/load.ts';
import { type DatabaseOfUrl, databaseOfUrl } from '../config/url.ts';
import type { SurveyedTable } from '../model/catalog.ts';
import type { Choices } from '../propose/proposal.ts';
import { fullName } from '../propose/yaml.ts';
import type { Ask } from './ask.ts';
import { check } from './check.ts';
import { create, replace, settingsIn, textOf } from './configuration-file.ts';
import { mergedConfiguration, type NewToken, newConfiguration, type Part, toPaste } from './configuration-text.ts';
import { answersFor, isConfigured } from './init-questions.ts';
import { Refused } from './refused.ts';
import type { Selection } from './select-tables.ts';
import { proposeFor, surveyDatabase } from './survey-database.ts';
import { hashOf, newToken } from './token.ts';
import { uuidOf } from './uuid.ts';

export interface InitOptions extends Selection {
  readonly file: string;
  /** Null: not chosen on the command line. */
  readonly read: Choices['read'] | null;
  readonly write: Choices['write'] | null;
  readonly ids: 'table' | 'uuid';
  /** The id of the one table that is added. */
  readonly id: string | null;
  readonly merge: boolean;
  readonly dryRun: boolean;
}

/** Where a command writes, and whom it asks. Control characters in what it prints are made visible. */
export interface Terminal {
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** The result as it is. */
  readonly show: (text: string) => void;
  /** Everything else. */
  readonly explain: (text: string) => void;
  /** Null where nobody could answer. */
  readonly ask: Ask | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As in 2026-11-23. */
  readonly today: string;
  /** The name by which this program was called. */
  readonly program: string;
}

/** A database to survey, and its connection in the file. */
interface Source extends Omit<DatabaseOfUrl, 'ok'> {
  readonly isNew: boolean;
  readonly selection: Selection;
}

/**
 * Proposes a configuration for databases, writes it and checks it.
 * @returns whether what is written can be served
 */
export async function init(urls: readonly string[], options: InitOptions, terminal: Terminal): Promise<boolean> {
  const existing = textOf(options.file);
  if (existing !== null && !options.merge && !options.dryRun)
    throw new Refused(`${options.file} exists: --merge adds to it, -o FILE writes another, --dry-run only shows`);
  const before = existing !== null && options.merge ? settingsIn(options.file, existing, terminal.environment) : null;
  const sources: Source[] = [];
  for (const url of urls) {
    const taken = new Set([...(before?.databases.keys() ?? []), ...sources.map(({ database }) => database.name)]);
    sources.push(sourceOf(url, taken, before, options, terminal));
  }
  return proposeAndWrite(sources, options, { existing: before === null ? null : existing, before }, terminal);
}

/** Adds tables to a configuration: `database.table` or `database.schema.table`, of databases that it has. */
export async function add(names: readonly string[], options: InitOptions, terminal: Terminal): Promise<boolean> {
  const existing = textOf(options.file);
  if (existing === null) throw new Refused(`${options.file} cannot be read`);
  const before = settingsIn(options.file, existing, terminal.environment);
  const isTaken = [...before.resources.values()].some(({ name, aliases }) =>
    [name, ...aliases].some((id) => id === options.id),
  );
  if (isTaken) throw new Refused(`--id must be an id that ${options.file} does not have, got: ${options.id}`);
  const wanted = new Map<Database, string[]>();
  for (const name of names) {
    const database = [...before.databases.values()].find((one) => name.startsWith(`${one.name}.`));
    if (database === undefined)
      throw new Refused(
        `${JSON.stringify(name)} must be DATABASE.TABLE, with a database of ${options.file}: ${[...before.databases.keys()].join(', ')}`,
      );
    wanted.set(database, [...(wanted.get(database) ?? []), name.slice(database.name.length + 1)]);
  }
  const sources = [...wanted].map(([database, tables]): Source => {
    if (!('connection' in database))
      throw new Refused(`database ${database.name} is embedded: its tables are written by hand`);
    const selection = { schemas: [], tables, except: [], each: 'one' } as const;
    return { database, written: '', writtenWithPassword: '', variable: '', isNew: false, selection };
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
  const environment = { ...terminal.environment };
  const taken = new Set(
    before === null ? [] : [...before.resources.values()].flatMap(({ name, aliases }) => [name, ...aliases]),
  );
  const parts: Part[] = [];
  for (const source of sources) {
    const askPassword = ask === null ? null : () => ask.secret(`Password of ${source.database.name}?`);
    const surveyed = await surveyDatabase(source.database, source.selection, askPassword);
    try {
      const { name, client, connection } = surveyed.database;
      if (source.isNew && connection.password !== null) environment[source.variable] = connection.password;
      const isKnown = (table: SurveyedTable) => before !== null && isConfigured(table, name, before);
      const answers = await answersFor(surveyed, source.selection, options, isKnown, ask);
      const id = (table: SurveyedTable) => idFor(table, name, options);
      const proposal = await proposeFor(surveyed, { ...answers, leaveOut: 'unwanted', id }, answers.tables, taken);
      const written =
        connection.password === source.database.connection.password ? source.written : source.writtenWithPassword;
      const { defaultSchema, server } = surveyed;
      parts.push({
        database: { name, client, connection: written },
        defaultSchema,
        server,
        isNew: source.isNew,
        proposal,
      });
    } finally {
      await surveyed.survey.close();
    }
  }
  return write({ parts, options, existing, environment }, terminal);
}

/** The file as it is; nulls where a new one is to be written. */
interface Before {
  readonly existing: string | null;
  readonly before: Settings | null;
}

function idFor(table: SurveyedTable, database: string, { id, ids }: InitOptions): ReturnType<Choices['id']> {
  if (id !== null) return { id, named: false };
  return ids === 'uuid' ? { id: uuidOf(database, table), named: true } : null;
}

interface ToWrite {
  readonly parts: readonly Part[];
  readonly options: InitOptions;
  readonly existing: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

async function write({ parts, options, existing, environment }: ToWrite, terminal: Terminal): Promise<boolean> {
  const { file, dryRun } = options;
  const { print, show, explain, today, program } = terminal;
  const resources = parts.flatMap(({ proposal }) => proposal.resources);
  for (const { proposal, defaultSchema } of parts)
    for (const { table, why } of proposal.leftOut)
      explain(`left out: ${fullName(proposal.database, table, defaultSchema)}: ${why}`);
  if (resources.length === 0) {
    explain(
      existing === null
        ? 'There is no table to serve: nothing is written.'
        : `There is no table to add to ${file}: nothing is written.`,
    );
    return existing !== null;
  }
  const token = existing !== null ? null : made(resources.map(({ access }) => access));
  const text = existing === null ? newConfiguration(parts, token, today, file) : mergedConfiguration(existing, parts);
  if (text === null) {
    explain(`Nothing can be inserted into ${file} as it is written. Paste these lines into it:`);
    for (const line of toPaste(parts)) print(line);
    return false;
  }
  if (dryRun) {
    show(text);
    return true;
  }
  if (existing === null) create(file, text);
  else replace(file, text, existing);
  explain(
    `${existing === null ? 'Wrote' : 'Added to'} ${file}: ${resources.length} ${resources.length === 1 ? 'resource' : 'resources'}.`,
  );
  for (const variable of Object.keys(environment))
    if (terminal.environment[variable] === undefined)
      explain(`The password is not in the file: set the variable ${variable} before check and serve.`);
  if (token !== null) {
    explain('The token of its callers. It is shown only now; the file has its hash:');
    print(token.text);
  }
  const read = loadSettings(file, environment);
  if (read.ok) {
    const isWell = await check(read.settings, read.positions, explain);
    if (isWell) explain(`Next: ${program} serve ${file}`);
    return isWell;
  }
  for (const complaint of read.complaints) explain(formatComplaint(complaint));
  return false;
}

/** A token for a file of its own, where anything in it needs one. */
function made(accesses: readonly Pick<Choices, 'read' | 'write'>[]): (NewToken & { readonly text: string }) | null {
  const mayWrite = accesses.some(({ write }) => write === 'token');
  if (!mayWrite && accesses.every(({ read }) => read === 'public')) return null;
  const text = newToken(randomBytes);
  return { name: 'first', sha256: hashOf(text), mayWrite, text };
}

function sourceOf(
  url: string,
  taken: ReadonlySet<string>,
  before: Settings | null,
  selection: Selection,
  terminal: Terminal,
): Source {
  const outside = { variable: (name: string) => terminal.environment[name] ?? null, file: textOf };
  const read = databaseOfUrl(url, outside, taken);
  if (!read.ok) throw new Refused(read.why);
  const there = before === null ? undefined : [...before.databases.values()].find((one) => isSame(one, read.database));
  const isThere = there !== undefined && 'connection' in there;
  return { ...read, database: isThere ? there : read.database, isNew: !isThere, selection };
}

/** Whether two settings mean one database, whatever its user. */
function isSame(one: Database, other: ServerDatabase): boolean {
  if (!('connection' in one)) return false;
  const at = ({ client, connection: { host, port, socketPath, database } }: ServerDatabase) =>
    JSON.stringify([client, host, port, socketPath, database]);
  return at(one) === at(other);
}
