/** Reads the catalogue from pg_catalog, with eleven queries for any number of tables. */
import type { Catalog, CatalogTable, Server, TableName } from '../../model/catalog.ts';
import { type Answer, plain, type Questions, type Statement } from '../../model/rows.ts';
import type { Column, Sequence, UniqueKey } from '../../model/table.ts';
import type { Cell } from '../../model/value.ts';
import { groups, list, text } from '../cells.ts';
import { creators, creatorsQuery } from './creators.ts';
import { definedAs } from './definition.ts';
import { effects, effectsQuery } from './effects.ts';
import { fullTextIndex } from './remedies.ts';
import { grant, rights, rightsCells } from './rights.ts';
import { hasTrigrams, searchIndexes, searchQuery } from './search-indexes.ts';
import { isCitext, type PgType, resultType, typeOf } from './types.ts';

const wantedTables = `unnest($1::text[], $2::text[]) w(s, t) JOIN pg_namespace n ON n.nspname = w.s
  JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.t AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`;
const names = (
  numbers: string,
  relation: string,
) => `(SELECT json_agg(a.attname ORDER BY u.nth) FROM unnest(${numbers}) WITH ORDINALITY u(att, nth)
  JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = u.att)`;

/** `relhassubclass` may stay set after the last child has been dropped. */
const hasChildren = '(c.relhassubclass AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = c.oid))';

const columnsQuery = `SELECT n.nspname, c.relname, c.relkind, a.attname, a.atttypid, a.atttypmod, format_type(a.atttypid, NULL), format_type(a.atttypid, a.atttypmod), a.attnotnull,
  a.attidentity = 'a' OR a.attgenerated <> '' OR c.relkind = 'm', co.collname, coalesce(co.collisdeterministic, true), c.relkind <> 'r' OR NOT ${hasChildren}, ${rightsCells}
  FROM ${wantedTables} JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_collation co ON co.oid = a.attcollation ORDER BY c.oid, a.attnum`;
/** Recognizes arrays by their output function: other types have elements, too (a box has corners), and any type may use category A. */
const isArray = `t.typoutput IN ('pg_catalog.array_out'::regproc, 'pg_catalog.int2vectorout'::regproc, 'pg_catalog.oidvectorout'::regproc)`;
const typesQuery = `SELECT t.oid, t.typname, t.typtype, CASE WHEN ${isArray} THEN t.typelem ELSE 0 END, t.typbasetype, t.typtypmod,
  (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid) FROM pg_type t WHERE t.typtype <> 'c'`;
/** Indexes over whole columns and all rows. A unique one must be checked immediately, not at the commit. */
const isKey = 'i.indisvalid AND (i.indimmediate OR NOT i.indisunique) AND i.indpred IS NULL AND i.indexprs IS NULL';
/** Whether an index considers values equal that its columns distinguish, because it has another collation or operator class. */
const isFolding = `EXISTS (SELECT FROM unnest(i.indkey::int2[], i.indcollation::oid[], i.indclass::oid[]) k (att, its, class)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.att JOIN pg_opclass b ON b.oid = k.class LEFT JOIN pg_collation o ON o.oid = k.its
  WHERE (k.its <> a.attcollation AND NOT o.collisdeterministic) OR NOT (b.opcdefault OR b.opcname LIKE '%pattern\\_ops'))`;
/** The partitions of an index. (We avoid pg_partition_tree, which locks everything that it returns.) */
const inPartitions = `(WITH RECURSIVE below AS (SELECT h.inhrelid FROM pg_inherits h WHERE h.inhparent = i.indexrelid
  UNION SELECT h.inhrelid FROM below b JOIN pg_inherits h ON h.inhparent = b.inhrelid)
  SELECT coalesce(json_agg(o.relname ORDER BY o.relname), '[]') FROM below b JOIN pg_class o ON o.oid = b.inhrelid)`;
/** Whether an index can return rows in the order of its first column. An inheritance parent's index lacks the children's rows. */
const isOrdered = `i.indoption[0] IN (0, 3) AND NOT (c.relkind = 'r' AND c.relhassubclass)
  AND EXISTS (SELECT FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod WHERE o.oid = i.indclass[0] AND o.opcdefault AND m.amname = 'btree')
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attcollation = i.indcollation[0])`;
const indexesQuery = `SELECT n.nspname, c.relname, ic.relname, i.indisprimary, i.indisunique, ${names('i.indkey[0:i.indnkeyatts - 1]', 'c.oid')}, ${names('i.indkey', 'c.oid')},
  CASE c.relkind WHEN 'p' THEN ${inPartitions} END, ${isOrdered}, ${isFolding}
  FROM ${wantedTables} JOIN pg_index i ON i.indrelid = c.oid JOIN pg_class ic ON ic.oid = i.indexrelid
  WHERE ${isKey} ORDER BY i.indisprimary DESC, i.indisunique DESC, i.indexrelid`;
/**
 * Whether a write may defer checks to its commit. The query covers the whole database, because triggers, cascades and partitions may
 * write to any table. Foreign keys and deferrable keys are triggers, too.
 */
const mayDefer = 'EXISTS (SELECT FROM pg_trigger WHERE tgdeferrable)';
/** Whether we can sort by `ctid`: that takes SELECT on the whole table, and a heap. We assume that partitions are heaps. */
const hasPlaces = `has_table_privilege(c.oid, 'SELECT') AND (c.relkind = 'p'
  OR c.relkind IN ('r', 'm') AND EXISTS (SELECT FROM pg_am m WHERE m.oid = c.relam AND m.amname = 'heap'))`;
/**
 * Whether anyone can observe the order in which records are written. Inheritance parents, partitioned tables, views and foreign tables
 * may have more keys in the tables below them. We find volatile defaults by the function oids in the stored expression; a column without
 * a default takes its domain's.
 */
const sequenceQuery = `SELECT n.nspname, c.relname, EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.confrelid = c.oid),
  c.relkind <> 'r' OR c.relhassubclass OR EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisexclusion OR i.indisunique AND (NOT (${isKey}) OR ${isFolding}))),
  c.relrowsecurity OR EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled <> 'D')
    OR EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.ev_type <> '1'),
  (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND (a.attidentity <> '' OR EXISTS (
      SELECT FROM regexp_matches(coalesce(d.adbin, y.typdefaultbin)::text, ':(?:op)?funcid (\\d+)', 'g') f JOIN pg_proc p ON p.oid = f[1]::oid AND p.provolatile = 'v'))),
  (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AND y.typdefault IS NULL),
  ${mayDefer}, ${hasPlaces}
  FROM ${wantedTables}`;
const definitionsQuery = `SELECT n.nspname, c.relname, ${definedAs} FROM ${wantedTables}`;
/** Skips the copies of a foreign key that PostgreSQL makes for each partition of the referenced table. */
const referencesQuery = `SELECT n.nspname, c.relname, k.conname, ${names('k.conkey', 'c.oid')}, tn.nspname, t.relname, ${names('k.confkey', 't.oid')}
  FROM ${wantedTables} JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'f'
  JOIN pg_class t ON t.oid = k.confrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace
  WHERE NOT EXISTS (SELECT FROM pg_constraint p WHERE p.oid = k.conparentid AND p.conrelid = k.conrelid) ORDER BY k.oid`;
const namesQuery = `SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`;
const languagesQuery = 'SELECT cfgname FROM pg_ts_config WHERE pg_ts_config_is_visible(oid)';

const namesOf = (tables: readonly TableName[]): readonly string[] => {
  const array = (items: readonly string[]) =>
    `{${items.map((item) => `"${item.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
  return [array(tables.map((table) => table.schema ?? 'public')), array(tables.map((table) => table.name))];
};

export const catalog = (tables: readonly TableName[], server: Server): Questions<Catalog, Answer | null> => ({
  statements: queries(tables),
  read: (answers) => read(answers, server),
});

function queries(tables: readonly TableName[]): readonly Statement[] {
  const values = namesOf(tables);
  // Definitions come first: if a later reading finds them unchanged, everything that was read after them is still valid.
  const ofWanted = [
    definitionsQuery,
    columnsQuery,
    indexesQuery,
    searchQuery(wantedTables),
    sequenceQuery,
    referencesQuery,
  ].map((query) => ({
    text: query,
    values,
  }));
  return [...ofWanted, ...[typesQuery, namesQuery, languagesQuery, creatorsQuery].map(plain), effectsQuery];
}

function read(answers: readonly (Answer | null)[], server: Server): Catalog {
  const {
    version: [major = 0],
  } = server;
  const [
    definitions = [],
    columns = [],
    indexes = [],
    search = [],
    sequences = [],
    references = [],
    types = [],
    all = [],
    languages = [],
    creatorRows = [],
  ] = answers.map((answer) => answer?.cells ?? []);
  const typesByOid = new Map(types.map((row) => [Number(row[0]), pgType(row)]));
  const [definitionOf, indexesOf, searchOf] = [groups(definitions), groups(indexes), groups(search)];
  const [sequenceOf, referencesOf] = [groups(sequences), groups(references)];
  const tables = [...groups(columns)].map(([id, rows]) => {
    const searchRows = searchOf.get(id) ?? [];
    const columns = rows.map((row) => {
      const one = column(row, typesByOid, major);
      return hasTrigrams(searchRows, one, server) ? { ...one, trigrams: true as const } : one;
    });
    return tableOf(rows, columns, {
      ...{ indexes: indexesOf.get(id) ?? [], search: searchRows, references: referencesOf.get(id) ?? [] },
      ...{ sequence: sequenceOf.get(id)?.[0] ?? [], definition: definitionOf.get(id)?.[0] ?? [] },
    });
  });
  return {
    tables,
    names: all.map((row) => ({ schema: text(row[0]), name: text(row[1]) })),
    languages: languages.map((row) => text(row[0])),
    creators: creators(creatorRows),
    effects: effects(answers.at(-1) ?? null),
    user: text(columns[0]?.[18]),
    grant: (table, grants) => grant(table, grants, text(columns[0]?.[18])),
    fullTextIndex,
    hidesTables: false,
    locksByUpdate: true,
  };
}

/** The rows about one table, by query. */
interface TableRows {
  readonly indexes: readonly (readonly Cell[])[];
  readonly search: readonly (readonly Cell[])[];
  readonly references: readonly (readonly Cell[])[];
  readonly sequence: readonly Cell[];
  readonly definition: readonly Cell[];
}

/** @param rows of the columns; they also tell what kind of relation the table is */
function tableOf(
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
  { indexes, search, references, ...one }: TableRows,
): CatalogTable {
  const [schema, name, kind] = rows[0] ?? [];
  const uniqueIndexes = indexes.filter((row) => row[4] === 't');
  const mine = rights(rows.map((row) => [row[3] ?? null, ...row.slice(13)]));
  return {
    schema: text(schema),
    name: text(name),
    kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
    columns,
    primaryKey: list(uniqueIndexes.find((row) => row[3] === 't')?.[5]),
    uniqueKeys: uniqueIndexes.map(uniqueKey),
    foreignKeys: references.map((row) => ({
      ...{ name: text(row[2]), columns: list(row[3]) },
      to: { schema: text(row[4]), name: text(row[5]), columns: list(row[6]) },
    })),
    keysHold: rows[0]?.[12] === 't',
    ...(one.sequence[8] === 't' ? { hasPlaces: true } : {}),
    sequence: sequence(one.sequence),
    mayDefer: one.sequence[7] === 't',
    definition: text(one.definition[2]),
    indexes: indexes.map((row) => ({
      ...{ name: text(row[2]), columns: list(row[6]) },
      ...{ unique: row[4] === 't', ordered: row[8] === 't' },
    })),
    transactional: true,
    searchIndexes: searchIndexes(search, columns).filter(
      ({ stored }) => stored === undefined || !mine.without.SELECT.includes(stored),
    ),
    rights: mine,
  };
}

const uniqueKey = (row: readonly Cell[]): UniqueKey => ({
  ...{ name: text(row[2]), columns: list(row[5]) },
  ...(row[7] === null ? {} : { inPartitions: list(row[7]) }),
  ...(row[9] === 't' ? { folds: true } : {}),
});

function sequence([, , refersToItself, isBound, isWatched, numbered, required]: readonly Cell[]): Sequence {
  const [, records = 'in any order'] =
    (
      [
        [refersToItself, 'alone'],
        [isBound, 'updates alone'],
        [isWatched, 'in order'],
      ] as const
    ).find(([is]) => is === 't') ?? [];
  return { records, numbered: list(numbered), required: list(required) };
}

function column(row: readonly Cell[], types: ReadonlyMap<number, PgType>, major: number): Column {
  const [, , , name, type, modifier, native, declared, notNull, computed, collation, deterministic] = row;
  const columnType = typeOf(Number(type), Number(modifier), types, major);
  return {
    name: text(name),
    label: text(name),
    type: columnType,
    resultType: String(resultType(Number(type), types)),
    native: withoutLength(text(native)),
    declared: text(declared),
    nullable: notNull !== 't',
    readOnly:
      computed === 't' ||
      (columnType.kind === 'opaque' && !columnType.comparable) ||
      (columnType.kind === 'array' && columnType.vector !== undefined),
    collation: collation === null ? null : text(collation),
    charset: null,
    equality: deterministic === 'f' || isCitext(Number(type), types) ? 'folds' : 'exact',
    info: null,
  };
}

/** A cast to plain `bit` or `character` (or an array of one) would truncate values to a length of 1. */
function withoutLength(native: string): string {
  return native.replace(/^bit(?=$|\[)/, 'pg_catalog."bit"').replace(/^character(?=$|\[)/, 'bpchar');
}

function pgType(row: readonly Cell[]): PgType {
  const [oid, name, kind, element, base, baseModifier, labels] = row;
  return {
    oid: Number(oid),
    name: text(name),
    kind: text(kind),
    element: Number(element),
    base: Number(base),
    baseModifier: Number(baseModifier),
    labels: list(labels),
  };
}
