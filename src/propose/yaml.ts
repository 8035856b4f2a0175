/** Pure. Proposals as text of a configuration. Every name and comment comes from outside. */
import type { LeftOut, Proposal, ProposedColumn, ProposedResource } from './proposal.ts';

/** A database of the configuration. `connection` is text of the file: it may hold `${NAME}`. */
export interface ProposedDatabase {
  readonly name: string;
  readonly client: string;
  readonly connection: string;
}

/** A text as YAML. `${` would be filled in by the loader; what YAML or a terminal could take for something else is escaped. */
export function scalar(text: string): string {
  return quoted(text.replaceAll('${', () => '$${'));
}

/** The same for text whose `${NAME}` is to be filled in. */
export function quoted(text: string): string {
  if (/^[a-z_][\w-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)) return text;
  return JSON.stringify(text).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029\ufffe\uffff]/gu, escaped);
}
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/** A comment of one line. */
const comment = (text: string): string =>
  `# ${text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()}`;

/** The entry of a database, indented by nothing. */
export function databaseLines({ name, client, connection }: ProposedDatabase): readonly string[] {
  return [`${scalar(name)}:`, `  client: ${client}`, `  connection: ${JSON.stringify(connection)}`];
}

/** The entry of a resource, indented by nothing, with the comment above it. */
export function resourceLines(
  database: string,
  resource: ProposedResource,
  defaultSchema: string | null,
): readonly string[] {
  const { ids, table, title, key, columns, search, readsHiddenOf, access } = resource;
  const [id = '', ...aliases] = ids;
  const list = (names: readonly string[]) => `[${names.map(scalar).join(', ')}]`;
  const size = table.rows === null ? [] : [`about ${table.rows.toLocaleString('en')} rows`];
  const about = [...(table.is === 'table' ? [] : [table.is]), ...size].join(', ');
  const settings = [
    `database: ${scalar(database)}`,
    ...(table.schema === null || table.schema === defaultSchema ? [] : [`schema: ${scalar(table.schema)}`]),
    `table: ${scalar(table.name)}`,
    ...(aliases.length === 0 ? [] : [`aliases: ${list(aliases)}`]),
    ...(title === null ? [] : [`title: ${scalar(title)}`]),
    ...(table.comment.trim() === '' ? [] : [`description: ${scalar(table.comment)}`]),
    ...(key.is === 'unique' ? [`key: ${list(key.columns)} # no primary key; this unique index has no NULLs`] : []),
    ...(key.is === 'none' ? [comment(`key: […] ${key.why}`)] : []),
    ...(search === null ? [] : [searchLine(search, list)]),
    ...readsHiddenOf.map((below) => comment(`reads ${below}, which has hidden columns`)),
    ...(columns.length === 0 ? [] : ['columns:', ...columns.map((column) => `  ${columnLine(column)}`)]),
    `access: { read: ${access.read}, write: ${access.write} }`,
  ];
  return [...(about === '' ? [] : [comment(about)]), `${scalar(id)}:`, ...settings.map((line) => `  ${line}`)];
}

function searchLine(
  { columns, language }: NonNullable<ProposedResource['search']>,
  list: (names: readonly string[]) => string,
): string {
  const inLanguage = language === null ? '' : `, language: ${scalar(language)}`;
  return `search: { mode: auto, columns: ${list(columns)}${inLanguage} } # its full-text index`;
}

function columnLine({ name, hidden, boolean, as, notes, remark }: ProposedColumn): string {
  const settings = [
    ...(hidden === null ? [] : ['hidden: true']),
    ...(boolean ? ['boolean: true'] : []),
    ...(as === null ? [] : [`as: ${scalar(as)}`]),
    ...(notes === null ? [] : [`info: { notes: ${scalar(notes)} }`]),
  ];
  if (settings.length === 0) return comment(`${name}: ${remark}`);
  return `${scalar(name)}: { ${settings.join(', ')} }${remark === null ? '' : ` ${comment(remark)}`}`;
}

/** Comments that name the tables that are left out. */
export function leftOutLines(file: string, proposals: readonly Proposal[]): readonly string[] {
  const all = proposals.flatMap(({ database, leftOut }) => leftOut.map((one) => ({ database, ...one })));
  if (all.length === 0) return [];
  return [
    comment(`Left out. To add one: datastore-gateway add ${file} DATABASE.TABLE`),
    ...all.map(({ database, ...one }) => comment(`  ${fullName(database, one)}: ${one.why}`)),
  ];
}

/** `erp.orders`, `erp.sales.orders`. */
export const fullName = (database: string, { table }: Pick<LeftOut, 'table'>): string =>
  [database, ...(table.schema === null ? [] : [table.schema]), table.name].join('.');
