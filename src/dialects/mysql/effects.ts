/** Finds the other tables that a write changes. It reads about all databases of the server, because foreign keys and views cross them. */
import type { Effects, Relation } from '../../model/catalog.ts';
import { type Answer, plain, type Statement } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { grantee, matches, quote } from './rights.ts';

const system = `('mysql', 'sys', 'information_schema', 'performance_schema')`;
/** Foreign keys that cascade, and foreign keys within one table. */
const cascades = `SELECT UNIQUE_CONSTRAINT_SCHEMA, REFERENCED_TABLE_NAME, CONSTRAINT_SCHEMA, TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
  WHERE DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION') OR UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION')
  OR (UNIQUE_CONSTRAINT_SCHEMA = CONSTRAINT_SCHEMA AND REFERENCED_TABLE_NAME = TABLE_NAME)`;
const views = `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA NOT IN ${system}`;
/** The tables that the user may see. Selects only names: for other columns the server would open each table. */
const visible = `SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ${system}`;
const triggers = `SELECT DISTINCT EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA NOT IN ${system}`;
/** The first row has our user and database; then each user with the TRIGGER privilege, and the database pattern for which it has it. */
const rights = `SELECT CURRENT_USER(), database() UNION ALL
  SELECT GRANTEE, '%' FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER' UNION ALL
  SELECT GRANTEE, TABLE_SCHEMA FROM information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER'`;

export const effectsQueries: readonly Statement[] = [cascades, views, triggers, visible, rights].map(plain);

/** Variables that identify the server. */
const isMark = /^(server_uuid|server_uid|hostname|port|datadir)$/;
/** Storage engines that store rows themselves. MERGE, FEDERATED, SPIDER, CONNECT … show rows of other tables. */
const ownRows = /^(innodb|myisam|aria|memory|archive|csv|rocksdb|tokudb|ndbcluster|blackhole)$/i;

export interface Read {
  /** The answers to `effectsQueries`, in order; an answer is null if the user may not run its query. */
  readonly answers: readonly (Answer | null)[];
  /** Schema, name, type and engine of every table of this database. */
  readonly tables: Answer['cells'];
  /** Names and values of variables, among them the ones that identify the server. */
  readonly marks: Answer['cells'];
}

export function effects(read: Read): Effects {
  const [cascades = [], views = [], triggers = [], visible = [], rights = []] = read.answers.map((answer) =>
    (answer?.cells ?? []).map((row) => row.map(text)),
  );
  const tables = read.tables.map((row) => row.map(text));
  const marks = read.marks.map((row) => row.map(text)).filter(([name = '']) => isMark.test(name));
  const [user = '', here = ''] = rights[0] ?? [];
  const me = grantee(user);
  // Without the TRIGGER privilege the server hides triggers, so seeing none proves nothing.
  const isVisible = ([schema = '']: readonly string[]) =>
    rights.some(([grantee, pattern = '']) => grantee === me && matches(schema, pattern));
  const visibleKeys = new Set(visible.map(([schema = '', name = '']) => key(schema, name)));
  const schemas = new Set(visible.map(([schema = '']) => schema));
  /** Whether the user may not see this table. It might be a view over more tables, or have foreign keys that cascade. */
  const isUnseen = ([schema = '', name = '']: readonly string[]) => !visibleKeys.has(key(schema, name));
  const bases = views.map(viewOf);
  const withRowsElsewhere = tables
    .filter(([, , kind = '', engine = '']) => !/VIEW/.test(kind) && !ownRows.test(engine))
    .map(because('its engine keeps its rows elsewhere'));
  // Only MariaDB has sequences. They advance without a commit.
  const sequences = tables.filter(([, , kind = '']) => kind === 'SEQUENCE').map(because('it is a sequence'));
  const unreadable = bases.flatMap(({ view, below }) =>
    below === null ? [{ table: view, why: 'it is a view that cannot be read' }] : [],
  );
  return {
    server: `mysql ${marks.map(([name, value]) => `${name}=${value}`).join(' ')}`,
    database: here,
    ...edges(cascades, bases),
    mayChangeAnything: [
      ...triggers.map(because('it has triggers')),
      ...tables
        .filter((row) => !isVisible(row))
        .map(because(`${me} may not see its triggers: GRANT TRIGGER ON ${quote(here)}.* TO ${me}`)),
      ...withRowsElsewhere,
      ...unreadable,
    ],
    mayShowAnything: [
      ...withRowsElsewhere,
      ...sequences,
      ...unreadable,
      ...views
        .filter(([, , definition = '']) => zones.test(definition))
        .map(because('it is a view of times in named time zones, which are tables of the system')),
      ...bases
        .filter(({ definition, below }) => below !== null && readFrom(definition, schemas).some(isUnseen))
        .map(({ view }) => ({
          table: view,
          why: `it is a view over a table that ${me} may not see, or over one of the system`,
        })),
      ...cascades
        .filter(isUnseen)
        .map(([, , ...child]) => ({ table: at(child), why: `it changes with a table that ${me} may not see` })),
    ],
    elsewhere: [...withRowsElsewhere, ...sequences],
    unlogged: [],
    outsideInnodb: tables
      .filter(([, , , engine = '']) => ownRows.test(engine) && !/^innodb$/i.test(engine))
      .map(because('its engine is not InnoDB')),
  };
}

interface View {
  readonly view: Relation;
  readonly definition: string;
  /** The tables that the view reads; null if unknown. */
  readonly below: readonly Relation[] | null;
}

const viewOf = ([database = '', name = '', definition = '']: readonly string[]): View => ({
  ...{ view: at([database, name]), definition },
  below: below(definition),
});

/** The writes that change other tables, and the tables that each view shows. A write to a view changes its base tables. */
function edges(cascades: readonly (readonly string[])[], views: readonly View[]): Pick<Effects, 'changes' | 'shows'> {
  const between = views.flatMap(({ view, below }) => (below ?? []).map((base) => ({ view, base })));
  return {
    changes: [
      ...cascades.map(([schema = '', name = '', ...child]) => ({ from: at([schema, name]), to: at(child) })),
      ...between.map(({ view, base }) => ({ from: view, to: base })),
    ],
    shows: between.map(({ view, base }) => ({ from: base, to: view })),
  };
}

/** convert_tz is the server's only function that reads tables. */
const zones = /\bconvert_tz\(/i;
const key = (schema: string, name: string) => `${schema}\0${name}`;

/**
 * The tables that a view's definition reads from. A pair of names may also be a column: of an alias, of a view without an alias, or in
 * `schema`.`table`.`column`.
 */
function readFrom(
  definition: string,
  schemas: ReadonlySet<string>,
): readonly (readonly [schema: string, name: string])[] {
  const name = '`((?:[^`]|``)+)`';
  const aliases = Array.from(definition.matchAll(new RegExp(`(?:\`|\\)) ${name}`, 'g')), ([, alias = '']) => alias);
  const pairs = Array.from(
    definition.matchAll(new RegExp(`${name}\\.${name}(\\.)?`, 'g')),
    ([, schema = '', table = '', column]) => ({
      schema,
      table,
      isColumn: column !== undefined || aliases.includes(schema),
    }),
  );
  const isOfView = (first: string) => !schemas.has(unquoted(first)) && pairs.some(({ table }) => table === first);
  return pairs
    .filter(({ schema, isColumn }) => !isColumn && !isOfView(schema))
    .map(({ schema, table }) => [unquoted(schema), unquoted(table)]);
}

const at = ([database = '', name = '']: readonly string[]): Relation => ({ database, schema: null, name });
const because = (why: string) => (row: readonly string[]) => ({ table: at(row), why });

/**
 * The tables and views that a view reads; null if we can't see its definition, or if it calls a stored function. The server prints each
 * table as `schema`.`name`. A column of an alias looks the same, but counting it as a table does no harm.
 */
function below(definition: string): readonly Relation[] | null {
  if (definition === '') return null;
  // Empties string literals, which may contain anything. Skips names, which may contain quotation marks.
  const code = definition.replace(/`(?:[^`]|``)*`|'(?:[^'\\]|\\.|'')*'/g, (token) =>
    token.startsWith("'") ? "''" : token,
  );
  const name = '`((?:[^`]|``)+)`';
  // Only a stored function's name is in backticks before its arguments.
  if (new RegExp(`${name}\\(`).test(code)) return null;
  const pairs = code.matchAll(new RegExp(`${name}\\.${name}`, 'g'));
  return Array.from(pairs, ([, schema = '', table = '']) => at([unquoted(schema), unquoted(table)]));
}

const unquoted = (name: string): string => name.replace(/``/g, '`');
