/** Pure. Writes proposals as YAML. Names and comments come from the database, so nothing in them is trusted. */
import type { TableName } from '../model/catalog.ts';
import { printable } from '../values/printable.ts';
import { key, scalar } from '../values/yaml-scalar.ts';
import type { Proposal, ProposedColumn, ProposedResource } from './proposal.ts';

/** A database entry. `connection` is written to the file as it is, so it may contain `${NAME}`. */
export interface ProposedDatabase {
  readonly name: string;
  readonly client: string;
  readonly connection: string;
}

/** A YAML comment, on one line. */
const comment = (text: string): string =>
  `# ${text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()}`;

/** A database's entry, not indented. */
export function databaseLines({ name, client, connection }: ProposedDatabase): readonly string[] {
  return [`${key(name)}:`, `  client: ${client}`, `  connection: ${JSON.stringify(connection)}`];
}

/** A resource's entry, not indented, with the comment above it. */
export function resourceLines(
  database: string,
  resource: ProposedResource,
  defaultSchema: string | null,
): readonly string[] {
  const { ids, table, title, key: identity, columns, search, readsHiddenOf, access } = resource;
  const [id = '', ...aliases] = ids;
  const list = (names: readonly string[]) => `[${names.map(scalar).join(', ')}]`;
  const size =
    table.rows === null ? [] : [`about ${table.rows.toLocaleString('en')} ${table.rows === 1 ? 'row' : 'rows'}`];
  const about = [...(table.is === 'table' ? [] : [table.is]), ...size].join(', ');
  const isListed = access.read === 'public';
  const settings = [
    `database: ${scalar(database)}`,
    ...(table.schema === null || table.schema === defaultSchema ? [] : [`schema: ${scalar(table.schema)}`]),
    `table: ${scalar(table.name)}`,
    ...(aliases.length === 0 ? [] : [`aliases: ${list(aliases)}`]),
    ...(title === null ? [] : [`title: ${scalar(title)}`]),
    ...(table.comment.trim() === '' ? [] : [`description: ${scalar(table.comment)}`]),
    ...(identity.is === 'unique'
      ? [`key: ${list(identity.columns)} # no primary key; this unique index has no NULLs`]
      : []),
    ...(identity.is === 'none' ? [comment(`key: […] ${identity.why}`)] : []),
    ...(search === null ? [] : [searchLine(search, list)]),
    ...readsHiddenOf.map((below) => comment(`reads ${below}, which has hidden columns`)),
    // `expose: listed` keeps columns private that are added to the table later.
    ...(isListed ? ['expose: listed'] : []),
    ...(columns.length === 0 ? [] : ['columns:', ...columns.map((column) => `  ${columnLine(column, isListed)}`)]),
    `access: { read: ${access.read}, write: ${access.write} }${access.remark === null ? '' : ` ${comment(access.remark)}`}`,
  ];
  return [...(about === '' ? [] : [comment(about)]), `${key(id)}:`, ...settings.map((line) => `  ${line}`)];
}

function searchLine(
  { columns, language }: NonNullable<ProposedResource['search']>,
  list: (names: readonly string[]) => string,
): string {
  const inLanguage = language === null ? '' : `, language: ${scalar(language)}`;
  return `search: { mode: auto, columns: ${list(columns)}${inLanguage} } # its full-text index`;
}

function columnLine({ name, hidden, isChosen, boolean, as, notes, remark }: ProposedColumn, isListed: boolean): string {
  const settings = [
    ...(hidden === null ? [] : ['hidden: true']),
    ...(isChosen ? ['hidden: false'] : []),
    ...(boolean === null ? [] : [`boolean: ${boolean}`]),
    ...(as === null ? [] : [`as: ${scalar(as)}`]),
    ...(notes === null ? [] : [`info: { notes: ${scalar(notes)} }`]),
  ];
  if (settings.length === 0 && !isListed) return comment(`${name}: ${remark}`);
  const inBraces = settings.length === 0 ? '{}' : `{ ${settings.join(', ')} }`;
  return `${key(name)}: ${inBraces}${remark === null ? '' : ` ${comment(remark)}`}`;
}

/** Comments that name the tables left out. */
export function leftOutLines(
  file: string,
  parts: readonly { readonly proposal: Proposal; readonly defaultSchema: string | null }[],
): readonly string[] {
  const all = parts.flatMap(({ proposal, defaultSchema }) =>
    proposal.leftOut.map(({ table, why }) => `${fullName(proposal.database, table, defaultSchema)}: ${why}`),
  );
  if (all.length === 0) return [];
  return [`Left out. To add one: datastore-gateway add ${file} DATABASE.TABLE`, ...all].map(comment);
}

/** The name by which `add` finds a table: `erp.orders`, `erp.sales.orders`. */
export const fullName = (database: string, { schema, name }: TableName, defaultSchema: string | null): string =>
  printable([database, ...(schema === null || schema === defaultSchema ? [] : [schema]), name].join('.'));
