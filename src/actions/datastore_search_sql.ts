import type { SelectAction } from './action.ts';
import { flag, list, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';
import { namesOf, Params } from './params.ts';
import { questionOf } from './sql/type-select.ts';

const parameters = [
  {
    name: 'sql',
    type: 'text',
    required: true,
    help: "One SELECT with resources as its tables, in the part of PostgreSQL's language that [SQL](sql.md) lists. At most `limits.sqlLength` characters.",
  },
] as const;
const known = namesOf(parameters);

/** Answers a SELECT. None of its text reaches a database: we parse it into a question, and a dialect writes new SQL for that. */
export const datastore_search_sql: SelectAction = {
  name: 'datastore_search_sql',
  about: 'select',
  sideEffectFree: true,
  help: 'Answer a SELECT over resources that allow it (`access.sql`).',
  parameters,
  example: { sql: 'SELECT name, count(*) AS n FROM "example" GROUP BY name ORDER BY n DESC LIMIT 10' },

  exampleOf: (resource) => ({ sql: `SELECT count(*) AS n FROM "${resource.replaceAll('"', '""')}"` }),

  parse(given) {
    const params = new Params(given);
    params.refuseUnknown(known);
    const sql = params.text('sql');
    params.check();
    return sql;
  },

  plan(select, tables, { rowsMax }) {
    const question = questionOf(select, tables);
    const [table] = tables.values();
    if (table === undefined) throw new TypeError('a SELECT has a table');
    // Ask for one record more than we return, to see whether there are more.
    const limit = question.limit !== null && question.limit <= rowsMax ? question.limit : rowsMax + 1;
    return { effect: 'ask', table, question: { ...question, limit }, counts: false };
  },

  result(sql, { rows }, { rowsMax }) {
    if (rows === null) throw new TypeError('no records');
    return {
      members: [
        ['sql', sql],
        ['fields', rows.fields.map((one) => ({ ...one }))],
        ['records', { ...rows, cells: rows.cells.slice(0, rowsMax) }, 'objects'],
        ...(rows.cells.length > rowsMax ? [['records_truncated', true] as const] : []),
      ],
    };
  },

  resultSchema: closed(
    {
      sql: text,
      fields: list(closed({ id: text, type: text, info: { type: 'object' } }, ['id', 'type'])),
      records: list({ type: 'object' }),
      records_truncated: flag,
    },
    ['sql', 'fields', 'records'],
  ),
};
