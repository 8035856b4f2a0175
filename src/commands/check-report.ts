/** The result of `check`, as lines for people or as JSON for machines. Pure. */
import type { Advice } from '../advise/facts.ts';
import { type Complaint, complain, complaintLines, type Finding, type Positions } from '../config/complaints.ts';
import type { FeedFact, FeedFacts } from '../model/feed.ts';
import { type CheckedReplica, replicaLine } from '../replicas/replica-check.ts';
import type { ExposedResource, Unlisted } from '../tables/exposure.ts';
import type { Connected, DatabaseSnapshot } from '../tables/served.ts';
import { printable } from '../values/printable.ts';

export interface CheckReport {
  readonly databases: readonly CheckedDatabase[];
  readonly resources: readonly ExposedResource[];
  readonly notInFile: readonly Unlisted[];
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Null where none was asked for. */
  readonly advice: readonly Advice[] | null;
}

interface CheckedDatabase extends Pick<DatabaseSnapshot, 'name' | 'connected'> {
  /** Milliseconds; null: `none`. */
  readonly maxStaleness: number | null;
  readonly replicas: readonly CheckedReplica[];
}

/**
 * Each is one line, whatever characters its names have: a name could look like another line.
 * @param isListed whether they say what is exposed
 */
export function asLines(report: CheckReport, positions: Positions, isListed: boolean): readonly string[] {
  const { databases, resources, notInFile, errors, warnings, advice } = report;
  const lines = (findings: readonly Finding[]) =>
    byDatabase(report, findings).flatMap((of) => complaintLines(of, positions));
  const kinds = { error: lines(errors), warning: lines(warnings), advice: lines((advice ?? []).map(adviceFinding)) };
  return [
    ...databases.flatMap((one) => databaseLines(one, isListed)),
    ...(isListed ? [...resources.flatMap(resourceLines), ...notInFile.flatMap(unlistedLines)] : []),
    ...Object.entries(kinds).flatMap(([kind, said]) => said.map((line) => `${kind}: ${line}`)),
    ...(advice?.length === 0 ? ['no advice'] : []),
    errors.length === 0 ? `${count(resources.length, 'resource')} can be served` : count(kinds.error.length, 'error'),
  ].map(printable);
}

/** Findings of one database may share a line; those of two would hide that both have them. */
function byDatabase({ resources }: CheckReport, findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const databases = new Map(resources.map(({ id, database }) => [id, database]));
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const [section, name = ''] = finding.path.map(String);
    const database = section === 'databases' ? name : (databases.get(name) ?? '');
    groups.set(database, [...(groups.get(database) ?? []), finding]);
  }
  return [...groups.values()];
}

function adviceFinding({ path, says, sql = [] }: Advice): Finding {
  if (sql.length === 0) return { path, says };
  const statements = sql.map((one) => `${one};`).join(' ');
  // A replacement of such characters would show another name.
  const shown =
    printable(statements) === statements
      ? statements
      : 'a name has characters that cannot be printed: --json has the SQL';
  return { path, says: `${says}: ${shown}` };
}

function databaseLines(
  { name, connected, maxStaleness, replicas }: CheckedDatabase,
  isListed: boolean,
): readonly string[] {
  if (connected === null) return [];
  const { server, token } = connected;
  const limit =
    token === null || maxStaleness === null
      ? 'what others write is seen after the ttl of the cache'
      : `cached answers are at most ${maxStaleness} ms behind what others write, by ${token.name}`;
  const lines = [limit, ...nameLines(connected), ...replicas.map(replicaLine)];
  return [`database ${name}: ${server.versionText}`, ...(isListed ? lines.map((line) => `  ${line}`) : [])];
}

/** Whether a write of others invalidates few answers or all, and what would change that. */
function nameLines({ feed }: Connected): readonly string[] {
  const line = ({ why, remedy }: FeedFact) => `  ${why}${remedy === null ? '' : `: ${remedy}`}`;
  const lines = ({ obstacles, remarks }: FeedFacts) => [...obstacles, ...remarks].map(line);
  if (feed === null) return [];
  if (feed.obstacles.length === 0)
    return ["the server's log names the tables that others write: all other answers stay cached", ...lines(feed)];
  return ["a write of others invalidates all answers, because the server's log cannot be read:", ...lines(feed)];
}

function resourceLines({ id, database, table, schema, kind, access, key, columns }: ExposedResource) {
  const name = [database, ...(schema === null ? [] : [schema]), table].join('.');
  const keyed = key.length === 0 ? 'no key' : `key ${key.join(', ')}`;
  const head = `resource ${id}: ${kind ?? 'table'} ${name}, read ${access.read}, write ${access.write}`;
  if (columns === null) return [`${head}; cannot be served`];
  const width = Math.max(0, ...columns.map((column) => column.name.length));
  const shown = columns.map(({ name, as, type }) => {
    const remark = as === null ? '  hidden' : as === name ? '' : `  as ${as}`;
    return `  ${name.padEnd(width)}  ${type}${remark}`;
  });
  return [`${head}, ${keyed}`, ...shown];
}

function unlistedLines({ database, tables, leftOut }: Unlisted): readonly string[] {
  if (tables.length + leftOut.length === 0) return [];
  return [
    `not in the file, of database ${database}:`,
    ...tables.map((table) => `  ${table}`),
    ...leftOut.map(({ table, why }) => `  ${table}  (${why})`),
  ];
}

/** One document. Each finding has its own place, also where a line for people would name several resources. */
export function asJson(report: CheckReport, positions: Positions): string {
  const at = (finding: Finding) => complain(finding, positions);
  return toJson({
    servable: report.errors.length === 0,
    databases: report.databases.map(({ name, connected, maxStaleness, replicas }) => ({
      ...{ name, version: connected?.server.versionText ?? null },
      ...{ maxStaleness, token: connected?.token?.name ?? null },
      replicas,
      feed: connected?.feed ?? null,
    })),
    resources: report.resources,
    notInFile: report.notInFile,
    errors: report.errors.map(at),
    warnings: report.warnings.map(at),
    advice:
      report.advice?.map((one) => ({ rule: one.rule, ...at(one), sql: one.sql ?? [], setting: one.setting ?? null })) ??
      null,
  });
}

/** The document of a file that cannot be read as a configuration. */
export function asInvalidJson(complaints: readonly Complaint[]): string {
  const nothing = { databases: [], resources: [], notInFile: [], warnings: [], advice: null };
  return toJson({ servable: false, ...nothing, errors: complaints });
}

/** Characters that a terminal could obey are escaped here: the names stay what they are. */
const toJson = (document: object): string =>
  JSON.stringify(document, null, 2).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (char) =>
    Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
