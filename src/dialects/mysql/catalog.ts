/** Reads the catalogue from information_schema, with twelve queries for any number of tables. */
import type { Catalog, CatalogSearchIndex, CatalogTable, Relation, Server, TableName } from '../../model/catalog.ts';
import { type Answer, plain, type Questions, type Statement } from '../../model/rows.ts';
import type { ForeignKey, Index, UniqueKey } from '../../model/table.ts';
import type { Cell } from '../../model/value.ts';
import { groups, text } from '../cells.ts';
import { isWholeWord } from '../words.ts';
import { columnsOf, isNumbered, isRequired } from './catalog-columns.ts';
import { columnsQuery, definedAs, forTables, indexesQuery } from './definition.ts';
import { effects, effectsQueries } from './effects.ts';
import { fullTextIndex } from './remedies.ts';
import { type Grants, grant, grantee, isGranted, readGrants, rights } from './rights.ts';

const tablesOf = 'SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE FROM information_schema.TABLES';
const referencesOf =
  'SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE';
const checksOf =
  'SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = database()';
/** MySQL enforces CHECK constraints since 8.0.16. */
const mysqlChecksOf = `SELECT TABLE_SCHEMA, TABLE_NAME, CHECK_CLAUSE FROM information_schema.TABLE_CONSTRAINTS
  JOIN information_schema.CHECK_CONSTRAINTS USING (CONSTRAINT_SCHEMA, CONSTRAINT_NAME)`;
const variables = `SHOW VARIABLES WHERE Variable_name IN ('innodb_ft_min_token_size', 'ft_min_word_len', 'innodb_ft_enable_stopword',
  'innodb_ft_server_stopword_table', 'innodb_ft_user_stopword_table', 'server_uuid', 'server_uid', 'hostname', 'port', 'datadir')`;
const stopWords = 'SELECT value FROM information_schema.INNODB_FT_DEFAULT_STOPWORD';

export const catalog = (tables: readonly TableName[], server: Server): Questions<Catalog, Answer | null> => ({
  statements: queries(tables, server),
  read: (answers) => read(answers, server),
});

function queries(tables: readonly TableName[], server: Server): readonly Statement[] {
  const [major = 0, minor = 0, patch = 0] = server.version;
  return [
    columnsQuery(tables),
    plain(`${tablesOf} WHERE TABLE_SCHEMA = database()`),
    indexesQuery(tables),
    forTables(
      tables,
      referencesOf,
      'AND REFERENCED_TABLE_NAME IS NOT NULL ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION',
    ),
    server.product === 'mariadb'
      ? plain(checksOf)
      : major * 10_000 + minor * 100 + patch >= 80_016
        ? forTables(tables, mysqlChecksOf, "AND ENFORCED = 'YES'")
        : plain('SELECT 1 FROM DUAL WHERE FALSE'),
    plain(variables),
    plain(stopWords),
    plain('SHOW GRANTS'),
    ...effectsQueries,
  ];
}

/** The rows about one table, by query. */
interface TableRows {
  readonly table: readonly Cell[];
  readonly columns: readonly (readonly Cell[])[];
  readonly indexes: readonly (readonly Cell[])[];
  readonly references: readonly (readonly Cell[])[];
  readonly checks: readonly (readonly Cell[])[];
}

/** Facts about the server that apply to all tables. */
interface Surroundings {
  readonly server: Server;
  readonly schema: string;
  readonly granted: Grants;
  readonly words: ReturnType<typeof fullText>;
  /** Tables on which a write may change anything, for example through a trigger. */
  readonly watched: ReadonlySet<string>;
  /** Tables with a foreign key to themselves. */
  readonly trees: ReadonlySet<string>;
}

function read(answers: readonly (Answer | null)[], server: Server): Catalog {
  const [
    columns = [],
    tables = [],
    indexes = [],
    references = [],
    checks = [],
    settings = [],
    stops = null,
    grants = null,
  ] = answers.map((answer) => answer?.cells ?? null);
  const granted = readGrants(grants);
  const [login = '', schema = ''] = (answers.at(-1)?.cells[0] ?? []).map(text);
  const user = grantee(login);
  const sideEffects = effects({
    answers: answers.slice(-effectsQueries.length),
    tables: tables ?? [],
    marks: settings ?? [],
  });
  const namesHere = (tables: readonly Relation[]) =>
    new Set(tables.filter(({ database }) => database === sideEffects.database).map(({ name }) => name));
  const surroundings: Surroundings = {
    ...{ server, schema, granted },
    words: fullText(new Map((settings ?? []).map((row) => [text(row[0]), text(row[1])])), stops),
    watched: namesHere(sideEffects.mayChangeAnything.map(({ table }) => table)),
    trees: namesHere(
      sideEffects.changes.flatMap(({ from, to }) =>
        from.database === to.database && from.name === to.name ? [to] : [],
      ),
    ),
  };
  const byTable = (rows: readonly (readonly Cell[])[] | null) => groups(rows ?? []);
  const [tablesBy, indexesBy] = [byTable(tables), byTable(indexes)];
  const [referencesBy, checksBy] = [byTable(references), byTable(checks)];
  return {
    tables: [...byTable(columns)].map(([id, columns]) =>
      tableOf(
        {
          ...{ table: tablesBy.get(id)?.[0] ?? [], columns, indexes: indexesBy.get(id) ?? [] },
          ...{ references: referencesBy.get(id) ?? [], checks: checksBy.get(id) ?? [] },
        },
        surroundings,
      ),
    ),
    names: (tables ?? []).map((row) => ({ schema: null, name: text(row[1]) })),
    languages: null,
    creators: [],
    user,
    grant: ({ name }, privileges) => grant({ schema, name }, privileges, user),
    fullTextIndex,
    hidesTables: isGranted(granted, 'SELECT', { schema, name: null }) === false,
    effects: sideEffects,
  };
}

function tableOf({ table, columns, references, checks, ...rows }: TableRows, around: Surroundings): CatalogTable {
  const name = text(columns[0]?.[1]);
  const [, , kind, engine] = table;
  const byName = byKey(rows.indexes);
  // Leaves out indexes over a prefix of a column or an expression: they don't cover whole columns.
  const indexes = byName.filter((rowsOf) => rowsOf.every((row) => row[5] !== null && row[6] === null)).map(index);
  const uniqueKeys = indexes.filter(({ unique }) => unique).map(({ name, columns }): UniqueKey => ({ name, columns }));
  const isView = /VIEW/.test(text(kind));
  const isBound = isView || around.trees.has(name) || byName.some(isFurtherKey);
  return {
    schema: null,
    name,
    kind: isView ? 'view' : 'table',
    columns: columnsOf(columns, checks, around.server),
    primaryKey: uniqueKeys.find((key) => key.name === 'PRIMARY')?.columns ?? [],
    uniqueKeys,
    foreignKeys: byKey(references).map(foreignKey),
    keysHold: true,
    mayDefer: false,
    sequence: {
      records: isBound ? 'updates alone' : around.watched.has(name) ? 'in order' : 'in any order',
      numbered: columns.filter((row) => isNumbered(row, around.server.product)).map((row) => text(row[2])),
      required: columns.filter(isRequired).map((row) => text(row[2])),
    },
    definition: definedAs(columns, rows.indexes),
    indexes: [...indexes].sort((a, b) => weight(a) - weight(b)),
    // A view has no storage engine. We assume InnoDB for its base tables, which is almost always right.
    transactional:
      engine === null || engine === undefined || /^(innodb|ndbcluster|rocksdb|tokudb)$/i.test(text(engine)),
    searchIndexes: byName
      .filter((rowsOf) => text(rowsOf[0]?.[4]) === 'FULLTEXT')
      .map((rowsOf) =>
        around.words(
          rowsOf.map((row) => text(row[5])),
          text(engine),
        ),
      ),
    rights: rights(
      columns.map((row) => ({ name: text(row[2]), privileges: text(row[13]) })),
      { schema: around.schema, name },
      around.granted,
    ),
  };
}

/** Whether an index is unique over a prefix of a column or an expression. */
const isFurtherKey = (rows: readonly (readonly Cell[])[]): boolean =>
  rows.some((row) => text(row[3]) === '0' && (row[5] === null || row[6] !== null));

/** Groups the rows of one table by their third cell, the name of an index or constraint. */
function byKey(rows: readonly (readonly Cell[])[]): (readonly (readonly Cell[])[])[] {
  const rowsByName = new Map<string, (readonly Cell[])[]>();
  for (const row of rows) rowsByName.set(text(row[2]), [...(rowsByName.get(text(row[2])) ?? []), row]);
  return [...rowsByName.values()];
}

function index(rows: readonly (readonly Cell[])[]): Index {
  const [, , name, nonUnique, type] = rows[0] ?? [];
  const columns = rows.map((row) => text(row[5]));
  return { name: text(name), columns, unique: text(nonUnique) === '0', ordered: /^(BTREE|LSMTREE)$/.test(text(type)) };
}

function foreignKey(rows: readonly (readonly Cell[])[]): ForeignKey {
  const [schema, , name, , toSchema, toName] = rows[0] ?? [];
  const to = { schema: text(toSchema) === text(schema) ? null : text(toSchema), name: text(toName) };
  return {
    name: text(name),
    columns: rows.map((row) => text(row[3])),
    to: { ...to, columns: rows.map((row) => text(row[6])) },
  };
}

const weight = ({ name, unique }: Index): number => (name === 'PRIMARY' ? 0 : unique ? 1 : 2);

/** Which words a FULLTEXT index can find, according to the server's settings. MyISAM's stop words are compiled in and can't be read. */
function fullText(settings: ReadonlyMap<string, string>, stops: readonly (readonly Cell[])[] | null) {
  const hasCustomStopWords = [
    settings.get('innodb_ft_server_stopword_table'),
    settings.get('innodb_ft_user_stopword_table'),
  ].some((table) => table !== undefined && !/^(|NULL)$/.test(table));
  const hasNoStopWords = settings.get('innodb_ft_enable_stopword') === 'OFF';
  const stopSet = hasNoStopWords
    ? new Set<string>()
    : hasCustomStopWords || stops === null
      ? null
      : new Set(stops.map((row) => text(row[0]).toLowerCase()));
  return (columns: readonly string[], engine: string): CatalogSearchIndex => {
    const isInnodb = /^innodb$/i.test(engine);
    const shortest = Number(settings.get(isInnodb ? 'innodb_ft_min_token_size' : 'ft_min_word_len') ?? 3);
    const isShort = (word: string) => [...word].length < shortest;
    const isStop = (word: string) => isInnodb && stopSet?.has(word.toLowerCase()) === true;
    return {
      expression: '',
      columns,
      language: null,
      answers: (word) => isInnodb && stopSet !== null && isWholeWord(word) && !isShort(word) && !isStop(word),
      ignores: (word) =>
        isStop(word) || !word.split(/[^\p{L}\p{M}\p{N}_]+/u).some((token) => token !== '' && !isShort(token)),
    };
  };
}
