/** Lists all tables and views of the database (information_schema, three queries), and samples a table. */
import type { RowEstimate, SurveyedTable, TableName } from '../../model/catalog.ts';
import { type Answer, plain, type Question, type Questions, type Statement } from '../../model/rows.ts';
import { groups, text } from '../cells.ts';
import { quote } from './rights.ts';

/** MariaDB lists sequences among the tables. */
const tables = `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS, TABLE_COMMENT, ENGINE FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = database() AND TABLE_TYPE <> 'SEQUENCE' ORDER BY BINARY TABLE_NAME`;
const notes = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_COMMENT FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = database() AND COLUMN_COMMENT <> ''`;

/** VIEW_DEFINITION is empty if the user may not see it. */
const definitions =
  'SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = database()';

/** Storage engines that keep their rows on another server. */
const foreign = /^(federated|connect|spider|s3)$/i;

/** We ignore a view's comment: the server puts the word VIEW there, or an error message. */
function read([found, described, defined]: readonly Answer[]): readonly SurveyedTable[] {
  const notesOf = groups(described?.cells ?? []);
  const definitionOf = groups(defined?.cells ?? []);
  return [...groups(found?.cells ?? [])].map(([id, [row = []]]) => {
    const isView = /VIEW/.test(text(row[2]));
    const rows = row[3] === null || row[3] === undefined ? null : Number(text(row[3]));
    return {
      schema: null,
      name: text(row[1]),
      is: isView ? 'view' : foreign.test(text(row[5])) ? 'foreign table' : 'table',
      rows: isView ? null : rows,
      comment: isView ? '' : text(row[4]),
      definition: text(definitionOf.get(id)?.[0]?.[2]) || null,
      notes: new Map((notesOf.get(id) ?? []).map((note) => [text(note[2]), text(note[3])])),
    };
  });
}

export const survey: Questions<readonly SurveyedTable[]> = {
  statements: [tables, notes, definitions].map(plain),
  read,
};

const estimates = `SELECT TABLE_NAME, TABLE_ROWS FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = database() AND TABLE_TYPE = 'BASE TABLE' AND TABLE_ROWS IS NOT NULL`;

export const rowEstimates: Question<readonly RowEstimate[]> = {
  statement: plain(estimates),
  read: ({ cells }) => cells.map((row) => ({ schema: null, name: text(row[0]), rows: Number(text(row[1])) })),
};

/** The rows of a table that the server finds first. Without ORDER BY, it need not sort or scan the whole table. */
export function sample({ name }: TableName, columns: readonly string[], rows: number, characters: number): Statement {
  const cells = columns.map((column) => `LEFT(${quote(column)}, ${characters})`);
  return plain(`SELECT ${cells.join(', ')} FROM ${quote(name)} LIMIT ${rows}`);
}
