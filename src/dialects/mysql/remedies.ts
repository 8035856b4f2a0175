/** SQL that `check --advise` suggests to the operator of a MySQL or MariaDB server. */
import type { Need, NewUser, Remedies, SearchRemedy } from '../../model/advice.ts';
import type { CatalogTable, Server, TableName } from '../../model/catalog.ts';
import type { Column, Table } from '../../model/table.ts';
import { rightsBelow } from '../below.ts';
import { grant, quote } from './rights.ts';

/** Facts about the server, besides the table, that the suggested SQL depends on. */
export interface Surroundings {
  /** As CURRENT_USER() gives it: `app@%`. */
  readonly user: string;
  readonly database: string;
  /** Whether the user may read the stop words, which full-text indexes leave out. */
  readonly knowsStopWords: boolean;
  readonly partitioned: ReadonlySet<string>;
  /** Views that read with their caller's rights. */
  readonly invokers: ReadonlySet<string>;
  /** The output of SHOW CREATE TABLE by table name. */
  readonly definitions: ReadonlyMap<string, string>;
  readonly server: Server;
}

export function remediesFor(surroundings: Surroundings): Remedies {
  const { database, definitions } = surroundings;
  const nameOf = ({ name }: TableName) => `${quote(database)}.${quote(name)}`;
  const among = (columns: readonly string[]) => columns.map(quote).join(', ');
  return {
    search: (table, catalogTable) =>
      searchRemedy(
        table,
        catalogTable,
        surroundings,
        (columns) => `ALTER TABLE ${nameOf(catalogTable)} ADD FULLTEXT INDEX (${among(columns)})`,
      ),
    index: (table, columns) => [`ALTER TABLE ${nameOf(table)} ADD INDEX (${among(columns)})`],
    key: (table, column) => [
      `ALTER TABLE ${nameOf(table)} ADD COLUMN ${quote(column)} BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY`,
    ],
    notNull(table, column) {
      const definition = withoutNull(definitions.get(table.name) ?? '', column);
      // MODIFY rebuilds the table, so its statistics must be collected again.
      const statements = [`ALTER TABLE ${nameOf(table)} MODIFY COLUMN ${definition}`, `ANALYZE TABLE ${nameOf(table)}`];
      return definition === null ? null : [strict, ...statements];
    },
    unicode(table, columns) {
      // A key that foreign keys refer to can't change its character set, and the longer texts of utf8mb4 may not fit into an index.
      const bound = [...table.foreignKeys, ...table.uniqueKeys, ...table.indexes].flatMap((one) => one.columns);
      if (columns.some(({ name }) => bound.includes(name))) return null;
      const rewritten = columns.map((column) =>
        inUnicode(definitions.get(table.name) ?? '', column.name, collationOf(column)),
      );
      const whole = rewritten.filter((definition) => definition !== null);
      if (whole.length < columns.length || whole.length === 0) return null;
      return [
        strict,
        `ALTER TABLE ${nameOf(table)} ${whole.map((definition) => `MODIFY COLUMN ${definition}`).join(', ')}`,
      ];
    },
    analyze: (table) => [`ANALYZE TABLE ${nameOf(table)}`],
    repeated: (table, columns) => [
      `SELECT ${among(columns)} FROM ${nameOf(table)} GROUP BY ${among(columns)} HAVING COUNT(*) > 1 LIMIT 1`,
    ],
    // MySQL has no escapes for characters in a quoted name, so the SQL stays as it is.
    copyable: (sql) => sql,
    user: (needs) => newUser(needs, surroundings),
  };
}

/** Without strict mode the server would turn NULLs into zeros and cut off texts. */
const strict = "SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')";

/** The server refuses an index over more columns. */
const maxColumns = 16;

/** The existing full-text index, or a new one over the searched text columns. All must have one collation, as a full-text index requires. */
function searchRemedy(
  { search, columns: visible }: Table,
  catalogTable: CatalogTable,
  { knowsStopWords, partitioned }: Surroundings,
  create: (columns: readonly string[]) => string,
): SearchRemedy | null {
  const isVisible = (name: string) => visible.some((column) => column.name === name);
  const [widest] = catalogTable.searchIndexes
    .filter(({ columns }) => columns.every(isVisible))
    .toSorted((a, b) => b.columns.length - a.columns.length);
  // Mode `auto` only uses an index if it is certain to contain the words, so we must know the stop words.
  const mode = knowsStopWords ? 'auto' : 'native';
  if (widest !== undefined)
    return { sql: [], mode: widest.answers('gateway') ? 'auto' : 'native', columns: widest.columns };
  if (!catalogTable.transactional || partitioned.has(catalogTable.name)) return null;
  const searched = search.columns.map(({ name }) => name);
  const candidates = catalogTable.columns.filter((column) => isVisible(column.name) && isFullText(column));
  const preferred = candidates.filter(({ name }) => searched.includes(name));
  const [group = []] = groups(preferred.length > 0 ? preferred : candidates).toSorted((a, b) => b.length - a.length);
  const columns = group.slice(0, maxColumns).map(({ name }) => name);
  return columns.length === 0 ? null : { sql: [create(columns)], mode, columns };
}

/** The SQL that creates a full-text index; null if the server can't index these columns together. */
export const fullTextIndex = ({ name }: TableName, columns: readonly Column[]): string | null =>
  columns.every(isFullText) && groups(columns).length === 1 && columns.length <= maxColumns
    ? `ALTER TABLE ${quote(name)} ADD FULLTEXT INDEX (${columns.map((column) => quote(column.name)).join(', ')})`
    : null;

const isFullText = ({ native, charset, readOnly }: Column): boolean =>
  /^(var)?char|^(tiny|medium|long)?text/i.test(native) && !/^(ucs2|utf16|utf32)/.test(charset ?? '') && !readOnly;

function groups(columns: readonly Column[]): readonly (readonly Column[])[] {
  const collations = [...new Set(columns.map(({ collation }) => collation))];
  return collations.map((collation) => columns.filter((column) => column.collation === collation));
}

/** A column's definition without its name, cut from SHOW CREATE TABLE; null if there is no such column. */
function definitionOf(created: string, column: string): string | null {
  const start = `  ${quote(column)} `;
  const line = created.split('\n').find((one) => one.startsWith(start));
  return line === undefined ? null : line.slice(start.length).replace(/,$/, '');
}

/** The column's definition with NOT NULL; null if that cannot be written, or the column is generated. */
export function withoutNull(created: string, column: string): string | null {
  const definition = definitionOf(created, column);
  if (definition === null) return null;
  const comment = / COMMENT '/.exec(definition)?.index ?? definition.length;
  const [attributes, tail] = [definition.slice(0, comment), definition.slice(comment)];
  if (/ NOT NULL| AS \(|GENERATED/.test(attributes)) return null;
  // Without a default, older servers would set a NOT NULL timestamp to the time of each update.
  if (/^timestamp\b/.test(attributes) && !/ DEFAULT (?!NULL)/.test(attributes)) return null;
  const withoutDefaultNull = attributes.replace(/( NULL)? DEFAULT NULL\b| NULL\b/, ' NOT NULL');
  const whole =
    withoutDefaultNull === attributes ? attributes.replace(/ DEFAULT /, ' NOT NULL DEFAULT ') : withoutDefaultNull;
  return whole === attributes ? null : `${quote(column)} ${whole}${tail}`;
}

/** Types whose length is in bytes, and the next larger type: it holds as many characters in utf8mb4. */
const wider = new Map([
  ['tinytext', 'text'],
  ['text', 'mediumtext'],
  ['mediumtext', 'longtext'],
]);

/** The column's definition in utf8mb4; null if it is not a plain text column, or is generated. */
export function inUnicode(created: string, column: string, collation: string | null): string | null {
  const definition = definitionOf(created, column);
  const [all, type] =
    /^((?:var)?char\(\d+\)|(?:tiny|medium|long)?text)(?: CHARACTER SET \w+)?(?: COLLATE \w+)?(?= |$)/.exec(
      definition ?? '',
    ) ?? [];
  if (definition === null || all === undefined) return null;
  const rest = definition.slice(all.length);
  // A character takes up to four bytes in utf8mb4, and a row has at most 65,535 bytes.
  if (Number(/^varchar\((\d+)\)/.exec(all)?.[1] ?? 0) > 16_000) return null;
  return /^ (GENERATED|AS \()/.test(rest)
    ? null
    : `${quote(column)} ${wider.get(type ?? '') ?? type} CHARACTER SET utf8mb4${collation === null ? '' : ` COLLATE ${collation}`}${rest}`;
}

/** The utf8mb4 collation with the same comparison rules; null means the server's default. */
function collationOf({ collation }: Column): string | null {
  const ending = /_(bin|general_ci|unicode_ci|unicode_520_ci)$/.exec(collation ?? '')?.[1];
  return ending === undefined ? null : `utf8mb4_${ending}`;
}

/** The account is locked: nobody can log in before the operator has set a password. */
function newUser(needs: readonly Need[], { user, database, invokers, server }: Surroundings): NewUser {
  const [login, host] = [user.slice(0, user.lastIndexOf('@')), user.slice(user.lastIndexOf('@') + 1)];
  const name = `${literal(`gw_${login}`.slice(0, 16))}@${literal(host)}`;
  const [major = 0, minor = 0] = server.version;
  // MySQL 5.6 cannot lock accounts, so we set a hash that no password has.
  const isOld = server.product === 'mysql' && major === 5 && minor < 7;
  const locked = isOld ? `IDENTIFIED BY PASSWORD '*${'0'.repeat(40)}'` : 'ACCOUNT LOCK';
  const { granted, notes } = rightsBelow(needs, (view) => invokers.has(view.name));
  const sql = [
    // IF NOT EXISTS: the user may exist already, for another database of this server.
    `CREATE USER ${isOld ? '' : 'IF NOT EXISTS '}${name} ${locked}`,
    ...needs.map(({ table, grants }) => grant({ schema: database, name: table.name }, grants, name)),
    ...granted.map((table) =>
      grant({ schema: database, name: table.name }, [{ privilege: 'SELECT', columns: null }], name),
    ),
    ...needs.flatMap((need) => references(need, database, name)),
  ];
  return { name, sql: [...new Set(sql)], next: `give it a password, and unlock it${notes.join('')}` };
}

/** The catalogue hides columns on which the user has no right at all. REFERENCES makes their names visible, but no values. */
function references({ table, grants, mentioned }: Need, database: string, user: string): readonly string[] {
  const ofColumns = grants.filter(({ privilege }) => privilege !== 'DELETE');
  const isSeen = (name: string) => ofColumns.some(({ columns }) => columns === null || columns.includes(name));
  const unseen = mentioned.filter((name) => !isSeen(name));
  if (unseen.length === 0) return [];
  return [`GRANT REFERENCES (${unseen.map(quote).join(', ')}) ON ${quote(database)}.${quote(table.name)} TO ${user}`];
}

const literal = (value: string): string => `'${value.replace(/[\\']/g, '$&$&')}'`;
