/** Reads the catalogue from information_schema: twelve queries, whatever the number of tables. */
import type { Catalog, CatalogSearchIndex, CatalogTable, Relation, Server, TableName } from '../../model/catalog.ts';
import { type Answer, plain, type Questions, type Statement } from '../../model/rows.ts';
import type { Column, Index, UniqueKey } from '../../model/table.ts';
import type { Cell } from '../../model/value.ts';
import { groups, text } from '../cells.ts';
import { isWholeWord } from '../words.ts';
import { columnsQuery, definedAs, forTables, indexesQuery } from './definition.ts';
import { effects, effectsQueries } from './effects.ts';
import { fullTextIndex } from './remedies.ts';
import { grant, grantee, isGranted, readGrants, rights } from './rights.ts';
import { resultType, typeOf } from './types.ts';

const tablesOf = 'SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE FROM information_schema.TABLES';
const referencesOf =
  'SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE';
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

function read(answers: readonly (Answer | null)[], server: Server): Catalog {
  const { product } = server;
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
  const session = (answers.at(-1)?.cells[0] ?? []).map(text);
  const user = grantee(session[0] ?? '');
  const [indexesBy, referencesBy, checksBy, tablesBy] = [indexes, references, checks, tables].map((rows) =>
    groups(rows ?? []),
  );
  const sideEffects = effects({
    answers: answers.slice(-effectsQueries.length),
    tables: tables ?? [],
    marks: settings ?? [],
  });
  const namesHere = (tables: readonly Relation[]) =>
    new Set(tables.filter(({ database }) => database === sideEffects.database).map(({ name }) => name));
  const watched = namesHere(sideEffects.mayChangeAnything.map(({ table }) => table));
  const trees = namesHere(
    sideEffects.changes.flatMap(({ from, to }) => (from.database === to.database && from.name === to.name ? [to] : [])),
  );
  const words = fullText(new Map((settings ?? []).map((row) => [text(row[0]), text(row[1])])), stops);
  const catalogTables = [...groups(columns ?? [])].map(([id, rows]): CatalogTable => {
    const [, name] = rows[0] ?? [];
    const [, , kind, engine] = tablesBy?.get(id)?.[0] ?? [];
    const checks = (checksBy?.get(id) ?? []).map((row) => text(row[2]));
    const checkedBy = (check: RegExp) => checks.map((clause) => check.exec(clause)?.[1]?.replace(/``/g, '`'));
    const [jsons, flags] = [checkedBy(isJson), checkedBy(isFlag)];
    const byName = byKey(indexesBy?.get(id) ?? []);
    // Leaves out indexes over a prefix of a column or an expression: they don't cover whole columns.
    const indexes = byName.filter((rowsOf) => rowsOf.every((row) => row[5] !== null && row[6] === null)).map(index);
    const uniqueKeys = indexes
      .filter(({ unique }) => unique)
      .map(({ name, columns }): UniqueKey => ({ name, columns }));
    const isView = /VIEW/.test(text(kind));
    const isBound = isView || trees.has(text(name)) || byName.some(isFurtherKey);
    const fullTexts = byName.filter((rowsOf) => text(rowsOf[0]?.[4]) === 'FULLTEXT');
    return {
      schema: null,
      name: text(name),
      kind: isView ? 'view' : 'table',
      columns: rows.map((row) => ({
        ...column(row, jsons.includes(text(row[2])), server),
        ...(flags.includes(text(row[2])) ? { checkedFlag: true } : {}),
      })),
      primaryKey: uniqueKeys.find((key) => key.name === 'PRIMARY')?.columns ?? [],
      uniqueKeys,
      foreignKeys: byKey(referencesBy?.get(id) ?? []).map((rowsOf) => ({
        name: text(rowsOf[0]?.[2]),
        columns: rowsOf.map((row) => text(row[3])),
      })),
      keysHold: true,
      mayDefer: false,
      sequence: {
        records: isBound ? 'updates alone' : watched.has(text(name)) ? 'in order' : 'in any order',
        numbered: rows.filter((row) => isNumbered(row, product)).map((row) => text(row[2])),
        required: rows.filter(isRequired).map((row) => text(row[2])),
      },
      definition: definedAs(rows, indexesBy?.get(id)),
      indexes: [...indexes].sort((a, b) => weight(a) - weight(b)),
      // A view has no storage engine. We assume InnoDB for its base tables, which is almost always right.
      transactional:
        engine === null || engine === undefined || /^(innodb|ndbcluster|rocksdb|tokudb)$/i.test(text(engine)),
      searchIndexes: fullTexts.map((rowsOf) =>
        words(
          rowsOf.map((row) => text(row[5])),
          text(engine),
        ),
      ),
      rights: rights(
        rows.map((row) => ({ name: text(row[2]), privileges: text(row[13]) })),
        { schema: session[1] ?? '', name: text(name) },
        granted,
      ),
    };
  });
  return {
    tables: catalogTables,
    names: (tables ?? []).map((row) => ({ schema: null, name: text(row[1]) })),
    languages: null,
    creators: [],
    user,
    grant: ({ name }, privileges) => grant({ schema: session[1] ?? '', name }, privileges, user),
    fullTextIndex,
    hidesTables: isGranted(granted, 'SELECT', { schema: session[1] ?? '', name: null }) === false,
    effects: sideEffects,
  };
}

/** CHECK constraints as the servers print them. The capture group is the column's name. */
const isJson = /^json_valid\(`([\s\S]*)`\)$/i;
const isFlag = /^\(?`((?:[^`]|``)*)` (?:in \(0, ?1\)|in \(1, ?0\)|between 0 and 1)\)?$/i;

const numberOf = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell));

function column(
  row: readonly Cell[],
  holdsJson: boolean,
  { product, version: [major = 0, minor = 0] }: Server,
): Column {
  const [, , name, data, full, characters, precision, scale, fraction, charset, collation, nullable, extra] = row;
  const type = typeOf({
    data: text(data).toLowerCase(),
    full: text(full),
    characters: numberOf(characters),
    precision: numberOf(precision),
    scale: numberOf(scale),
    fraction: numberOf(fraction) ?? 0,
    isJson: holdsJson,
    normalizes: product === 'mariadb' && (major > 10 || (major === 10 && minor >= 7)),
    lastSecond: product === 'mariadb',
  });
  const isText = type.kind === 'text' || type.kind === 'choice';
  return {
    name: text(name),
    label: text(name),
    type,
    resultType: resultType(text(data).toLowerCase(), type),
    native: text(full),
    declared: text(full),
    nullable: text(nullable) === 'YES',
    ...(/auto_increment/i.test(text(extra)) ? { autoIncrement: true } : {}),
    ...(/\bINVISIBLE\b/i.test(text(extra)) ? { invisible: true } : {}),
    readOnly: /\b(VIRTUAL|STORED|PERSISTENT)\b/i.test(text(extra)) || (type.kind === 'opaque' && !type.comparable),
    collation: isText && collation !== null ? text(collation) : null,
    charset: isText && charset !== null ? text(charset) : null,
    equality: isText ? 'folds' : 'exact',
    info: null,
  };
}

/** Whether an index is unique over a prefix of a column or an expression. */
const isFurtherKey = (rows: readonly (readonly Cell[])[]): boolean =>
  rows.some((row) => text(row[3]) === '0' && (row[5] === null || row[6] !== null));

/** Whether each new record gets a different default, as from uuid(). MariaDB prints all defaults as expressions; MySQL marks them. */
function isNumbered(row: readonly Cell[], product: Server['product']): boolean {
  const [extra, preset] = [text(row[12]), text(row[14])];
  if (/auto_increment/i.test(extra)) return true;
  const isExpression = product === 'mariadb' ? !preset.startsWith("'") : /DEFAULT_GENERATED/.test(extra);
  return isExpression && preset.includes('(') && !/^(current_timestamp|now)\(\d*\)$/i.test(preset);
}

/** Whether an INSERT must give the column a value. */
const isRequired = (row: readonly Cell[]): boolean =>
  text(row[11]) === 'NO' && row[14] === null && !/auto_increment|virtual|stored|persistent/i.test(text(row[12]));

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
const weight = ({ name, unique }: Index): number => (name === 'PRIMARY' ? 0 : unique ? 1 : 2);

/** Which words a FULLTEXT index can find, by the server's settings. MyISAM's stop words are compiled in, so we cannot read them. */
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
