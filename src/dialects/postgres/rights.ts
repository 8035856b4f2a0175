/** What a connection's user may do. We let the server decide, which knows about roles, owners and superusers. */
import type { Grant, TableName, TableRights } from '../../model/catalog.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';
import { copyable } from './copyable.ts';

/**
 * The missing GRANT on the sequence from which the default of a column, or of its domain, takes numbers. An identity column needs none. We
 * use CASE, because AND may evaluate its parts in any order, and has_sequence_privilege fails on a table.
 */
const sequence = `CASE WHEN a.atthasdef OR a.atttypid >= 16384 THEN (SELECT format('GRANT USAGE ON SEQUENCE %I.%I TO %I', sn.nspname, s.relname, current_user) FROM pg_depend d
  JOIN pg_class s ON s.oid = d.refobjid JOIN pg_namespace sn ON sn.oid = s.relnamespace
  WHERE d.classid = CASE WHEN a.atthasdef THEN 'pg_attrdef'::regclass ELSE 'pg_type'::regclass END AND d.refclassid = 'pg_class'::regclass
  AND d.objid = CASE WHEN a.atthasdef THEN (SELECT ad.oid FROM pg_attrdef ad WHERE ad.adrelid = c.oid AND ad.adnum = a.attnum) ELSE a.atttypid END
  AND CASE WHEN s.relkind = 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE, UPDATE') END LIMIT 1) END`;

/** Cells about a column `a` of a table `c` in a schema `n`. */
export const rightsCells = `has_column_privilege(c.oid, a.attnum, 'SELECT'), has_column_privilege(c.oid, a.attnum, 'INSERT'), has_column_privilege(c.oid, a.attnum, 'UPDATE'),
  has_table_privilege(c.oid, 'DELETE'), CASE WHEN NOT has_schema_privilege(n.oid, 'USAGE') THEN format('GRANT USAGE ON SCHEMA %I TO %I', n.nspname, current_user) END,
  quote_ident(current_user), ${sequence}`;

/** @param rows for each column its name, then `rightsCells` */
export function rights(rows: readonly (readonly Cell[])[]): TableRights {
  const without = (at: number) => rows.filter((row) => row[at] === 'f').map((row) => text(row[0]));
  const [first = []] = rows;
  const schema = first[5] ?? null;
  return {
    without: { SELECT: without(1), INSERT: without(2), UPDATE: without(3) },
    mayDelete: first[4] === 't',
    schema: schema === null ? null : text(schema),
    sequences: rows.flatMap((row) => (row[7] === null || row[7] === undefined ? [] : [text(row[7])])),
  };
}

/** The GRANT statement for privileges on a table. */
export function grant({ schema, name }: TableName, grants: readonly Grant[], user: string): string {
  const what = grants.map(({ privilege, columns }) =>
    columns === null ? privilege : `${privilege} (${columns.map(quoted).join(', ')})`,
  );
  return copyable(`GRANT ${what.join(', ')} ON ${quoted(schema ?? 'public')}.${quoted(name)} TO ${user}`);
}

/** Reserved words, which need quotes as names (appendix C of PostgreSQL's manual). */
const reserved = new RegExp(
  `^(?:${[
    'all|analyse|analyze|and|any|array|as|asc|asymmetric|authorization|binary|both|case|cast|check|collate|collation|column|concurrently',
    'constraint|create|cross|current_\\w+|default|deferrable|desc|distinct|do|else|end|except|false|fetch|for|foreign|freeze|from|full|grant',
    'group|having|ilike|in|initially|inner|intersect|into|is|isnull|join|lateral|leading|left|like|limit|localtime|localtimestamp|natural|not',
    'notnull|null|offset|on|only|or|order|outer|overlaps|placing|primary|references|returning|right|select|session_user|similar|some',
    'symmetric|system_user|table|tablesample|then|to|trailing|true|union|unique|user|using|variadic|verbose|when|where|window|with',
  ].join('|')})$`,
);

/** Quotes a name only where needed, because people read it. */
const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
