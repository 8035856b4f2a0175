/** The text of a new configuration file, or of an existing one with more entries. */
import { insertEntries } from '../config/insert.ts';
import type { Proposal } from '../propose/proposal.ts';
import { databaseLines, leftOutLines, type ProposedDatabase, resourceLines } from '../propose/yaml.ts';
import { scalar } from '../values/yaml-scalar.ts';

/** The proposal for one database. `isNew` means that the file does not have the database yet. */
export interface Part {
  readonly database: ProposedDatabase;
  readonly defaultSchema: string | null;
  /** Product and version, such as `MariaDB 10.11.6`. */
  readonly server: string;
  readonly isNew: boolean;
  readonly proposal: Proposal;
}

export interface NewToken {
  readonly name: string;
  readonly sha256: string;
  readonly mayWrite: boolean;
}

/**
 * The text of a new file.
 * @param day the date, such as 2026-11-23
 * @param file the file's name, for the hints in it
 */
export function newConfiguration(parts: readonly Part[], token: NewToken | null, day: string, file: string): string {
  const from = parts.map(({ database, server }) => `${database.name} (${server})`).join(', ');
  const resources = parts.flatMap(entriesOf);
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...oneLine(
      `Made by datastore-gateway init from ${from} on ${day}. It is yours from here on: init --merge only adds.`,
    ),
    'databases:',
    ...parts.flatMap(({ database }) => indented(databaseLines(database))),
    'resources:',
    ...resources.flatMap((lines, i) => [...(i === 0 ? [] : ['']), ...indented(lines)]),
    ...(token === null ? [] : ['tokens:', `  - ${tokenItem(token)}`]),
    ...leftOutLines(file, parts),
    '',
  ].join('\n');
}

const oneLine = (text: string): readonly string[] => [`# ${text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')}`];

/** A token's list item. The file contains only its hash. */
const tokenItem = ({ name, sha256, mayWrite }: NewToken): string =>
  `{ name: ${scalar(name)}, sha256: "${sha256}", read: ["*"], write: [${mayWrite ? '"*"' : ''}] }`;

const entriesOf = ({ proposal, defaultSchema }: Part): readonly (readonly string[])[] =>
  proposal.resources.map((resource) => resourceLines(proposal.database, resource, defaultSchema));

/**
 * The file's text with new entries inserted. Null if the YAML is written in a way that nothing can be inserted into; the operator must then
 * paste the lines that `toPaste` returns.
 */
export function mergedConfiguration(text: string, parts: readonly Part[]): string | null {
  const databases = parts.filter(({ isNew }) => isNew).map(({ database }) => databaseLines(database));
  const withDatabases = insertEntries(text, 'databases', databases);
  return withDatabases === null ? null : insertEntries(withDatabases, 'resources', parts.flatMap(entriesOf));
}

export function toPaste(parts: readonly Part[]): readonly string[] {
  const databases = parts.filter(({ isNew }) => isNew).flatMap(({ database }) => databaseLines(database));
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...(databases.length === 0 ? [] : ['databases:', ...indented(databases)]),
    'resources:',
    ...indented(parts.flatMap(entriesOf).flat()),
  ];
}
