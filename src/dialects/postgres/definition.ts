/** Reads a table's definition: a string that changes whenever the table is altered. */
import type { TableName } from '../../model/catalog.ts';
import type { Question, Questions } from '../../model/rows.ts';
import { text } from '../cells.ts';

/**
 * A string that changes with a table's columns, their user-defined types and the functions in their defaults, its indexes, triggers, rules,
 * policies and children. It is quick to read, because most types and functions are built in. The flags for rules and children may stay
 * set after the last rule or child has been dropped.
 */
export const definedAs = `concat_ws(' ', c.oid, c.relkind, c.relhassubclass, c.relrowsecurity,
  (SELECT array_agg(concat_ws(',', a.xmin, CASE WHEN a.atttypid >= 16384 THEN (SELECT (y.xmin, array(SELECT l.xmin FROM pg_enum l WHERE l.enumtypid IN (y.oid, y.typelem, y.typbasetype) ORDER BY l.oid))
      FROM pg_type y WHERE y.oid = a.atttypid) END,
    CASE WHEN a.atthasdef THEN (SELECT array_agg(p.xmin ORDER BY p.oid) FROM pg_attrdef d JOIN pg_depend e ON e.classid = 'pg_attrdef'::regclass
      AND e.objid = d.oid AND e.refclassid = 'pg_proc'::regclass JOIN pg_proc p ON p.oid = e.refobjid WHERE d.adrelid = c.oid AND d.adnum = a.attnum) END)
    ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0),
  (SELECT array_agg(i.xmin ORDER BY i.indexrelid) FROM pg_index i WHERE i.indrelid = c.oid),
  (SELECT array_agg((t.xmin, p.xmin) ORDER BY t.oid) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE t.tgrelid = c.oid),
  CASE WHEN c.relhasrules THEN (SELECT array_agg(r.xmin ORDER BY r.oid) FROM pg_rewrite r WHERE r.ev_class = c.oid) END)`;
const ofOne = `SELECT ${definedAs} FROM pg_class c WHERE c.oid = to_regclass(quote_ident($1) || '.' || quote_ident($2)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`;

/** The template makes sessions prepare the statement: planning this query takes the server longer than executing it. */
export const definitionOf = ({ schema, name }: TableName): Question<string | null> => ({
  statement: { text: ofOne, values: [schema ?? 'public', name], template: definitionOf },
  read: ({ cells: [row] }) => (row === undefined ? null : text(row[0])),
});

export const definition = (table: TableName): Questions<string | null> => {
  const { statement, read } = definitionOf(table);
  return { statements: [statement], read: ([answer]) => (answer === undefined ? null : read(answer)) };
};
