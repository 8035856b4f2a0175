/** Lists all tables and views of the database (pg_catalog, two queries), and samples a table. */
import type { RowEstimate, SurveyedTable, TableName } from '../../model/catalog.ts';
import { type Answer, plain, type Question, type Questions, type Statement } from '../../model/rows.ts';
import { groups, text } from '../cells.ts';

const isOurs = `n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'`;
const isPartOf = (kind: string, object: string) =>
  `EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${kind}'::regclass AND d.objid = ${object} AND d.deptype = 'e')`;
/** Longer comments are cut. PostgreSQL has no limit of its own; this is MySQL's. */
const maxCommentCharacters = 2048;
const tables = `SELECT n.nspname, c.relname, CASE WHEN ${isPartOf('pg_class', 'c.oid')} OR ${isPartOf('pg_namespace', 'n.oid')} THEN 'table of an extension'
    WHEN c.relispartition THEN 'partition' WHEN c.relkind = 'f' THEN 'foreign table' WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END,
  CASE WHEN c.relkind IN ('r', 'p', 'm') THEN c.reltuples::bigint END, left(obj_description(c.oid, 'pg_class'), ${maxCommentCharacters}),
  CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
  has_any_column_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND ${isOurs}
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`;
const notes = `SELECT n.nspname, c.relname, a.attname, left(d.description, ${maxCommentCharacters}) FROM pg_description d
  JOIN pg_class c ON c.oid = d.objoid AND c.relkind IN ('r', 'p', 'v', 'm', 'f') JOIN pg_namespace n ON n.oid = c.relnamespace AND ${isOurs}
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid
  WHERE d.classoid = 'pg_class'::regclass AND d.objsubid > 0`;

const kinds = ['table', 'view', 'foreign table', 'partition', 'table of an extension'] as const;

/** A table that was never analysed has a `reltuples` of -1; before PostgreSQL 14 it is 0. */
function read([found, described]: readonly Answer[]): readonly SurveyedTable[] {
  const notesOf = groups(described?.cells ?? []);
  return [...groups(found?.cells ?? [])].map(([id, [row = []]]) => ({
    schema: text(row[0]),
    name: text(row[1]),
    is: kinds.find((kind) => kind === text(row[2])) ?? 'table',
    rows: Number(text(row[3])) > 0 ? Number(text(row[3])) : null,
    comment: text(row[4]),
    ...(row[5] === 'f' ? { unreadable: true } : {}),
    definition: row[5] === null || row[5] === undefined ? null : text(row[5]),
    notes: new Map((notesOf.get(id) ?? []).map((note) => [text(note[2]), text(note[3])])),
  }));
}

export const survey: Questions<readonly SurveyedTable[]> = { statements: [tables, notes].map(plain), read };

const estimates = `SELECT n.nspname, c.relname, c.reltuples::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND ${isOurs}
  WHERE c.relkind IN ('r', 'p', 'm') AND c.reltuples > 0`;

export const rowEstimates: Question<readonly RowEstimate[]> = {
  statement: plain(estimates),
  read: ({ cells }) => cells.map((row) => ({ schema: text(row[0]), name: text(row[1]), rows: Number(text(row[2])) })),
};

/** The rows of a table that the server finds first. Without ORDER BY, it need not sort or scan the whole table. */
export function sample(
  { schema, name }: TableName,
  columns: readonly string[],
  rows: number,
  characters: number,
): Statement {
  const quoted = (part: string) => `"${part.replaceAll('"', '""')}"`;
  const cells = columns.map((column) => `left(${quoted(column)}::text, ${characters})`);
  return plain(`SELECT ${cells.join(', ')} FROM ${quoted(schema ?? 'public')}.${quoted(name)} LIMIT ${rows}`);
}
