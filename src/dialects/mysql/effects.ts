/** What a write does besides writing, from information_schema: of the whole server, because keys and views cross databases. */
import type { Effects, Relation } from '../../model/catalog.ts';
import { type Answer, plain, type Statement } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { grantee, matches, quote } from './rights.ts';

const system = `('mysql', 'sys', 'information_schema', 'performance_schema')`;
/** Keys that change what refers to them, and those of records that refer to others of their own table. */
const cascades = `SELECT UNIQUE_CONSTRAINT_SCHEMA, REFERENCED_TABLE_NAME, CONSTRAINT_SCHEMA, TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
  WHERE DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION') OR UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION')
  OR (UNIQUE_CONSTRAINT_SCHEMA = CONSTRAINT_SCHEMA AND REFERENCED_TABLE_NAME = TABLE_NAME)`;
const views = `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA NOT IN ${system}`;
/** What the user may see. Only the names: then the server opens none of the tables. */
const visible = `SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ${system}`;
const triggers = `SELECT DISTINCT EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA NOT IN ${system}`;
/** The users that may see triggers, with the databases. The first row is the user of this connection, and its database. */
const rights = `SELECT CURRENT_USER(), database() UNION ALL
  SELECT GRANTEE, '%' FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER' UNION ALL
  SELECT GRANTEE, TABLE_SCHEMA FROM information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER'`;

export const effectsQueries: readonly Statement[] = [cascades, views, triggers, visible, rights].map(plain);

/** What the server calls itself. */
const isMark = /^(server_uuid|server_uid|hostname|port|datadir)$/;
/** Engines that keep their rows themselves; MERGE, FEDERATED, SPIDER, CONNECT … show rows of other tables. */
const ownRows = /^(innodb|myisam|aria|memory|archive|csv|rocksdb|tokudb|ndbcluster|blackhole)$/i;

export interface Read {
  /** Those of `effectsQueries`, in their order; null for one that the user may not ask. */
  readonly answers: readonly (Answer | null)[];
  /** Schema, name, type and engine of every table of this database. */
  readonly tables: Answer['cells'];
  /** Names and values of variables, the server's own marks among them. */
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
  // Without this right triggers are not shown, so that their absence proves nothing.
  const isVisible = ([schema = '']: readonly string[]) =>
    rights.some(([grantee, pattern = '']) => grantee === me && matches(schema, pattern));
  const seen = new Set(visible.map(([schema = '', name = '']) => key(schema, name)));
  const schemas = new Set(visible.map(([schema = '']) => schema));
  /** Its own rows may be those of further tables, or change with them. */
  const isUnseen = ([schema = '', name = '']: readonly string[]) => !seen.has(key(schema, name));
  const bases = views.map((row) => ({ view: at(row), definition: row[2] ?? '', below: below(row[2] ?? '') }));
  const odd = tables.filter(([, , kind = '', engine = '']) => !/VIEW/.test(kind) && !ownRows.test(engine));
  // Of MariaDB. It moves without a commit, and no time of a change is kept for it.
  const sequences = tables.filter(([, , kind = '']) => kind === 'SEQUENCE');
  const others = tables.filter(([, , , engine = '']) => ownRows.test(engine) && !/^innodb$/i.test(engine));
  const because = (why: string) => (row: readonly string[]) => ({ table: at(row), why });
  return {
    server: `mysql ${marks.map(([name, value]) => `${name}=${value}`).join(' ')}`,
    database: here,
    changes: [
      ...cascades.map(([schema = '', name = '', ...child]) => ({ from: at([schema, name]), to: at(child) })),
      ...bases.flatMap(({ view, below }) => (below ?? []).map((base) => ({ from: view, to: base }))),
    ],
    shows: bases.flatMap(({ view, below }) => (below ?? []).map((base) => ({ from: base, to: view }))),
    mayChangeAnything: [
      ...triggers.map(because('it has triggers')),
      ...tables
        .filter((row) => !isVisible(row))
        .map(because(`${me} may not see its triggers: GRANT TRIGGER ON ${quote(here)}.* TO ${me}`)),
      ...odd.map(because('its engine keeps its rows elsewhere')),
      ...bases
        .filter(({ below }) => below === null)
        .map(({ view }) => ({ table: view, why: 'it is a view that cannot be read' })),
    ],
    mayShowAnything: [
      ...odd.map(because('its engine keeps its rows elsewhere')),
      ...sequences.map(because('it is a sequence')),
      ...bases
        .filter(({ below }) => below === null)
        .map(({ view }) => ({ table: view, why: 'it is a view that cannot be read' })),
      ...bases
        .filter(({ definition }) => zones.test(definition))
        .map(({ view }) => ({
          table: view,
          why: 'it is a view of times in named time zones, which are tables of the system',
        })),
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
    elsewhere: [
      ...odd.map(because('its engine keeps its rows elsewhere')),
      ...sequences.map(because('it is a sequence')),
    ],
    unlogged: [],
    outsideInnodb: others.map(because('its engine is not InnoDB')),
  };
}

/** The server's only function that reads tables. */
const zones = /\bconvert_tz\(/i;
const key = (schema: string, name: string) => `${schema}\0${name}`;

/**
 * The tables that a definition reads from. Pairs of names are also columns: of an alias, of a view without one, or after the name of
 * a schema.
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

/**
 * The tables below a view. The server writes a definition in full, every table as `schema`.`name`. A table's alias with a column
 * looks like that, too, and counting it does no harm. Null where it cannot be read, or calls a stored function.
 */
function below(definition: string): readonly Relation[] | null {
  if (definition === '') return null;
  // A literal may hold anything; a name may hold a quotation mark.
  const code = definition.replace(/`(?:[^`]|``)*`|'(?:[^'\\]|\\.|'')*'/g, (token) =>
    token.startsWith("'") ? "''" : token,
  );
  const name = '`((?:[^`]|``)+)`';
  // Only a stored function stands in backticks before its arguments.
  if (new RegExp(`${name}\\(`).test(code)) return null;
  const pairs = code.matchAll(new RegExp(`${name}\\.${name}`, 'g'));
  return Array.from(pairs, ([, schema = '', table = '']) => at([unquoted(schema), unquoted(table)]));
}

const unquoted = (name: string): string => name.replace(/``/g, '`');
