/** SQL for the operator of a MySQL or MariaDB server. */
import type { Need, NewUser, Remedies, SearchRemedy } from '../../model/advice.ts';
import type { CatalogTable, Server, TableName } from '../../model/catalog.ts';
import type { Column, Table } from '../../model/table.ts';
import { rightsBelow } from '../below.ts';
import { grant, quote } from './rights.ts';

/** What the SQL depends on beside the table. */
export interface Surroundings {
  /** As CURRENT_USER() gives it: `app@%`. */
  readonly user: string;
  readonly database: string;
  /** Whether the words can be read that an index leaves out. */
  readonly knowsStopWords: boolean;
  readonly partitioned: ReadonlySet<string>;
  /** Views that read with the rights of whoever asks them. */
  readonly invokers: ReadonlySet<string>;
  /** By table, what SHOW CREATE TABLE says. */
  readonly definitions: ReadonlyMap<string, string>;
  readonly server: Server;
}

export function remediesFor(around: Surroundings): Remedies {
  const { database, definitions } = around;
  const nameOf = ({ name }: TableName) => `${quote(database)}.${quote(name)}`;
  const among = (columns: readonly string[]) => columns.map(quote).join(', ');
  return {
    search: (table, found) =>
      searchRemedy(
        table,
        found,
        around,
        (columns) => `ALTER TABLE ${nameOf(found)} ADD FULLTEXT INDEX (${among(columns)})`,
      ),
    index: (table, columns) => [`ALTER TABLE ${nameOf(table)} ADD INDEX (${among(columns)})`],
    key: (table, column) => [
      `ALTER TABLE ${nameOf(table)} ADD COLUMN ${quote(column)} BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY`,
    ],
    notNull(table, column) {
      const definition = withoutNull(definitions.get(table.name) ?? '', column);
      // The table is made anew, and its statistics with it.
      const made = [`ALTER TABLE ${nameOf(table)} MODIFY COLUMN ${definition}`, `ANALYZE TABLE ${nameOf(table)}`];
      return definition === null ? null : [strict, ...made];
    },
    unicode(table, columns) {
      // Another character set is refused in a key that others refer to, and may be too long for an index.
      const bound = [...table.foreignKeys, ...table.uniqueKeys, ...table.indexes].flatMap((one) => one.columns);
      if (columns.some(({ name }) => bound.includes(name))) return null;
      const made = columns.map((column) =>
        inUnicode(definitions.get(table.name) ?? '', column.name, collationOf(column)),
      );
      const whole = made.filter((definition) => definition !== null);
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
    // A name in backticks has no escapes.
    copyable: (sql) => sql,
    user: (needs) => newUser(needs, around),
  };
}

/** Without a strict mode NULLs would become zeros, and texts would be cut. */
const strict = "SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')";

/** An index over more columns is refused by the server. */
const mostColumns = 16;

/** The full-text index that is there, or one over the searched columns of text in one collation: others cannot share an index. */
function searchRemedy(
  { search, columns: visible }: Table,
  found: CatalogTable,
  { knowsStopWords, partitioned }: Surroundings,
  create: (columns: readonly string[]) => string,
): SearchRemedy | null {
  const isVisible = (name: string) => visible.some((column) => column.name === name);
  const [widest] = found.searchIndexes
    .filter(({ columns }) => columns.every(isVisible))
    .toSorted((a, b) => b.columns.length - a.columns.length);
  // In mode auto only an index that is known to hold a word is asked for it.
  const mode = knowsStopWords ? 'auto' : 'native';
  if (widest !== undefined)
    return { sql: [], mode: widest.answers('gateway') ? 'auto' : 'native', columns: widest.columns };
  if (!found.transactional || partitioned.has(found.name)) return null;
  const searched = search.columns.map(({ name }) => name);
  const wanted = found.columns.filter((column) => isVisible(column.name) && isFullText(column));
  const named = wanted.filter(({ name }) => searched.includes(name));
  const [group = []] = groups(named.length > 0 ? named : wanted).toSorted((a, b) => b.length - a.length);
  const columns = group.slice(0, mostColumns).map(({ name }) => name);
  return columns.length === 0 ? null : { sql: [create(columns)], mode, columns };
}

/** The SQL of an index for full text; null where the server has none over these columns. */
export const fullTextIndex = ({ name }: TableName, columns: readonly Column[]): string | null =>
  columns.every(isFullText) && groups(columns).length === 1 && columns.length <= mostColumns
    ? `ALTER TABLE ${quote(name)} ADD FULLTEXT INDEX (${columns.map((column) => quote(column.name)).join(', ')})`
    : null;

const isFullText = ({ native, charset, readOnly }: Column): boolean =>
  /^(var)?char|^(tiny|medium|long)?text/i.test(native) && !/^(ucs2|utf16|utf32)/.test(charset ?? '') && !readOnly;

function groups(columns: readonly Column[]): readonly (readonly Column[])[] {
  const collations = [...new Set(columns.map(({ collation }) => collation))];
  return collations.map((collation) => columns.filter((column) => column.collation === collation));
}

/** The definition of a column in what SHOW CREATE TABLE says, without its name; null where it is not there. */
function definitionOf(created: string, column: string): string | null {
  const start = `  ${quote(column)} `;
  const line = created.split('\n').find((one) => one.startsWith(start));
  return line === undefined ? null : line.slice(start.length).replace(/,$/, '');
}

/** The same column, but NOT NULL; null where it cannot be read, or the server computes the column. */
export function withoutNull(created: string, column: string): string | null {
  const definition = definitionOf(created, column);
  if (definition === null) return null;
  const comment = / COMMENT '/.exec(definition)?.index ?? definition.length;
  const [said, rest] = [definition.slice(0, comment), definition.slice(comment)];
  if (/ NOT NULL| AS \(|GENERATED/.test(said)) return null;
  // Older servers would set such a column to the time of each update.
  if (/^timestamp\b/.test(said) && !/ DEFAULT (?!NULL)/.test(said)) return null;
  const marked = said.replace(/( NULL)? DEFAULT NULL\b| NULL\b/, ' NOT NULL');
  const whole = marked === said ? said.replace(/ DEFAULT /, ' NOT NULL DEFAULT ') : marked;
  return whole === said ? null : `${quote(column)} ${whole}${rest}`;
}

/** The types whose length is in bytes, and those with room for the same characters. */
const wider = new Map([
  ['tinytext', 'text'],
  ['text', 'mediumtext'],
  ['mediumtext', 'longtext'],
]);

/** The same column in a character set that has all characters; null where it is no plain text, or computed. */
export function inUnicode(created: string, column: string, collation: string | null): string | null {
  const definition = definitionOf(created, column);
  const [all, type] =
    /^((?:var)?char\(\d+\)|(?:tiny|medium|long)?text)(?: CHARACTER SET \w+)?(?: COLLATE \w+)?(?= |$)/.exec(
      definition ?? '',
    ) ?? [];
  if (definition === null || all === undefined) return null;
  const rest = definition.slice(all.length);
  // Four bytes for each character: a row, and so a varchar, has 65,535 bytes at most.
  if (Number(/^varchar\((\d+)\)/.exec(all)?.[1] ?? 0) > 16_000) return null;
  return /^ (GENERATED|AS \()/.test(rest)
    ? null
    : `${quote(column)} ${wider.get(type ?? '') ?? type} CHARACTER SET utf8mb4${collation === null ? '' : ` COLLATE ${collation}`}${rest}`;
}

/** The collation that compares as the old one does; null where the server's own must do. */
function collationOf({ collation }: Column): string | null {
  const ending = /_(bin|general_ci|unicode_ci|unicode_520_ci)$/.exec(collation ?? '')?.[1];
  return ending === undefined ? null : `utf8mb4_${ending}`;
}

/** A locked account: no login works before the operator has chosen a password. */
function newUser(needs: readonly Need[], { user, database, invokers, server }: Surroundings): NewUser {
  const [login, host] = [user.slice(0, user.lastIndexOf('@')), user.slice(user.lastIndexOf('@') + 1)];
  const name = `${literal(`gw_${login}`.slice(0, 16))}@${literal(host)}`;
  const [major = 0, minor = 0] = server.version;
  // MySQL 5.6 has no locked accounts; no password has this hash.
  const isOld = server.product === 'mysql' && major === 5 && minor < 7;
  const locked = isOld ? `IDENTIFIED BY PASSWORD '*${'0'.repeat(40)}'` : 'ACCOUNT LOCK';
  const { granted, notes } = rightsBelow(needs, (view) => invokers.has(view.name));
  const sql = [
    // Another database of the server may have made it.
    `CREATE USER ${isOld ? '' : 'IF NOT EXISTS '}${name} ${locked}`,
    ...needs.map(({ table, grants }) => grant({ schema: database, name: table.name }, grants, name)),
    ...granted.map((table) =>
      grant({ schema: database, name: table.name }, [{ privilege: 'SELECT', columns: null }], name),
    ),
    ...needs.flatMap((need) => references(need, database, name)),
  ];
  return { name, sql: [...new Set(sql)], next: `give it a password, and unlock it${notes.join('')}` };
}

/** A column without any right of the user is not in the catalogue that the user sees. This right shows its name, and no value. */
function references({ table, grants, mentioned }: Need, database: string, user: string): readonly string[] {
  const ofColumns = grants.filter(({ privilege }) => privilege !== 'DELETE');
  const isSeen = (name: string) => ofColumns.some(({ columns }) => columns === null || columns.includes(name));
  const unseen = mentioned.filter((name) => !isSeen(name));
  if (unseen.length === 0) return [];
  return [`GRANT REFERENCES (${unseen.map(quote).join(', ')}) ON ${quote(database)}.${quote(table.name)} TO ${user}`];
}

const literal = (value: string): string => `'${value.replace(/[\\']/g, '$&$&')}'`;
