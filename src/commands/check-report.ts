/** The result of `check` as lines of text or as JSON. Pure. */
import type { Advice } from '../advise/facts.ts';
import { type Complaint, complain, complaintLines, type Finding, type Positions } from '../config/complaints.ts';
import type { FeedFact, FeedFacts } from '../model/feed.ts';
import { type CheckedReplica, replicaLine } from '../replicas/replica-check.ts';
import type { ExposedResource, Unlisted } from '../tables/exposure.ts';
import type { Connected, DatabaseSnapshot } from '../tables/served.ts';
import { printable } from '../values/printable.ts';
import { type ShadowReport, shadowLine } from './shadow-report.ts';

export interface CheckReport {
  readonly databases: readonly CheckedDatabase[];
  readonly resources: readonly ExposedResource[];
  readonly notInFile: readonly Unlisted[];
  readonly shadows: readonly ShadowReport[];
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The advice; null without `--advise`. */
  readonly advice: readonly Advice[] | null;
}

interface CheckedDatabase extends Pick<DatabaseSnapshot, 'name' | 'connected'> {
  /** The setting `maxStaleness` in milliseconds; null for `none`. */
  readonly maxStaleness: number | null;
  readonly replicas: readonly CheckedReplica[];
}

/**
 * The report as text. Line breaks in names are escaped, so that a name cannot fake another line.
 * @param isListed whether to list the exposed tables and columns, for `--list`
 */
export function asLines(report: CheckReport, positions: Positions, isListed: boolean): readonly string[] {
  const { databases, resources, notInFile, shadows, errors, warnings, advice } = report;
  const lines = (findings: readonly Finding[]) =>
    byDatabase(report, findings).flatMap((of) => complaintLines(of, positions));
  const kinds = { error: lines(errors), warning: lines(warnings), advice: lines((advice ?? []).map(adviceFinding)) };
  return [
    ...databases.flatMap((one) => databaseLines(one, isListed)),
    ...(isListed ? [...resources.flatMap(resourceLines), ...notInFile.flatMap(unlistedLines)] : []),
    ...shadows.map(shadowLine),
    ...Object.entries(kinds).flatMap(([kind, texts]) => texts.map((line) => `${kind}: ${line}`)),
    ...(advice?.length === 0 ? ['no advice'] : []),
    errors.length === 0 ? `${count(resources.length, 'resource')} can be served` : count(kinds.error.length, 'error'),
  ].map(printable);
}

/** Groups findings by database, so that equal findings of two databases do not share a line. */
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
  // Control characters cannot be replaced here: the SQL would then contain a wrong name.
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
  const { server, commitMarker } = connected;
  const limit =
    commitMarker === null || maxStaleness === null
      ? 'what others write is seen after the ttl of the cache'
      : `cached answers are at most ${maxStaleness} ms behind what others write, by ${commitMarker.name}`;
  const lines = [limit, ...nameLines(connected), ...replicas.map(replicaLine)];
  return [`database ${name}: ${server.versionText}`, ...(isListed ? lines.map((line) => `  ${line}`) : [])];
}

/** Lines that say whether a write by another client invalidates only some cached answers or all, and how to change that. */
function nameLines({ feed }: Connected): readonly string[] {
  const line = ({ why, remedy }: FeedFact) => `  ${why}${remedy === null ? '' : `: ${remedy}`}`;
  const lines = ({ obstacles, remarks }: FeedFacts) => [...obstacles, ...remarks].map(line);
  if (feed === null) return [];
  if (feed.obstacles.length === 0)
    return ["the server's log names the tables that others write: all other answers stay cached", ...lines(feed)];
  return ["a write of others invalidates all answers, because the server's log cannot be read:", ...lines(feed)];
}

function resourceLines({ id, database, table, schema, kind, access, rows, key, columns }: ExposedResource) {
  const name = [database, ...(schema === null ? [] : [schema]), table].join('.');
  const keyed = key.length === 0 ? 'no key' : `key ${key.join(', ')}`;
  const head = `resource ${id}: ${kind ?? 'table'} ${name}, read ${access.read}, write ${access.write}`;
  const filters = rows.map(({ callers, where }) => `  rows${callers === null ? '' : ` of ${callers}`}: ${where}`);
  if (columns === null) return [`${head}; cannot be served`, ...filters];
  const width = Math.max(0, ...columns.map((column) => column.name.length));
  const shown = columns.map(({ name, as, type }) => {
    const remark = as === null ? '  hidden' : as === name ? '' : `  as ${as}`;
    return `  ${name.padEnd(width)}  ${type}${remark}`;
  });
  return [`${head}, ${keyed}`, ...filters, ...shown];
}

function unlistedLines({ database, tables, leftOut }: Unlisted): readonly string[] {
  if (tables.length + leftOut.length === 0) return [];
  return [
    `not in the file, of database ${database}:`,
    ...tables.map((table) => `  ${table}`),
    ...leftOut.map(({ table, why }) => `  ${table}  (${why})`),
  ];
}

/** The report as one JSON document. Unlike the text, it lists equal findings about several resources one by one. */
export function asJson(report: CheckReport, positions: Positions): string {
  const at = (finding: Finding) => complain(finding, positions);
  return toJson({
    servable: report.errors.length === 0,
    databases: report.databases.map(({ name, connected, maxStaleness, replicas }) => ({
      ...{ name, version: connected?.server.versionText ?? null },
      ...{ maxStaleness, token: connected?.commitMarker?.name ?? null },
      replicas,
      feed: connected?.feed ?? null,
    })),
    resources: report.resources,
    notInFile: report.notInFile,
    shadows: report.shadows,
    errors: report.errors.map(at),
    warnings: report.warnings.map(at),
    advice:
      report.advice?.map((one) => ({ rule: one.rule, ...at(one), sql: one.sql ?? [], setting: one.setting ?? null })) ??
      null,
  });
}

/** The JSON document for an invalid configuration file. */
export function asInvalidJson(complaints: readonly Complaint[]): string {
  const empty = { databases: [], resources: [], notInFile: [], shadows: [], warnings: [], advice: null };
  return toJson({ servable: false, ...empty, errors: complaints });
}

/** Writes JSON that escapes the characters that control a terminal, so that names stay intact but do no harm. */
const toJson = (document: object): string =>
  JSON.stringify(document, null, 2).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (char) =>
    Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
