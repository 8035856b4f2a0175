/** Detects changes of definitions that cached answers depend on: the decoded log only shows rows, not DDL. */
import type { Relation } from '../../model/catalog.ts';
import type { Statement } from '../../model/rows.ts';
import { snapshotOf } from './snapshots.ts';

/**
 * The oids of the relations in `$2`, and of the partitioned tables above them. (`to_regclass` would refuse a table in a schema that the
 * user may not use, and a view that the user may read may be based on such a table.)
 */
const ids = `WITH RECURSIVE up(id) AS (
    SELECT c.oid FROM json_array_elements($2::json) r JOIN pg_namespace n ON n.nspname = r ->> 0
      JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = r ->> 1
    UNION SELECT inhparent FROM up JOIN pg_inherits ON inhrelid = id)
  SELECT id FROM up`;

/** An array that is computed once, so that the server searches each catalogue table by an index. */
const used = '((SELECT ids FROM used)::oid[])';
/** A range's multirange type, from pg_range as `r`; NULL before PostgreSQL 14, which has no such column. */
export const multirange = `(to_jsonb(r) ->> 'rngmultitypid')::oid`;
/**
 * The types of the relations' columns and views, and the types inside these. Row types of tables count, because JSON shows the names of
 * their columns. (Without OFFSET each level would read all types, and a chain of types may be long.)
 */
const types = `WITH RECURSIVE types(id) AS (
    (SELECT atttypid FROM pg_attribute WHERE attrelid = ANY (${used}) AND atttypid >= 16384
      UNION SELECT d.refobjid FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        AND d.refclassid = 'pg_type'::regclass WHERE r.ev_class = ANY (${used}))
    UNION SELECT part FROM types, LATERAL (SELECT * FROM pg_type t WHERE t.oid = types.id OFFSET 0) t, LATERAL (SELECT t.typbasetype
      UNION ALL SELECT t.typelem UNION ALL SELECT rngsubtype FROM pg_range WHERE rngtypid = t.oid
      UNION ALL SELECT rngtypid FROM pg_range r WHERE t.typtype = 'm' AND ${multirange} = t.oid
      UNION ALL SELECT atttypid FROM pg_attribute WHERE attrelid = t.typrelid) parts(part) WHERE part >= 16384)
  SELECT oid, typrelid FROM types JOIN pg_type ON oid = types.id`;
const usedTypes = 'ANY ((SELECT types FROM typed)::oid[])';
const usedRows = 'ANY ((SELECT rows FROM typed)::oid[])';
/** Composite types have no file (`relfilenode` is 0), so we can find them by the index on that column. */
const isComposite = `reltablespace = 0 AND relfilenode = 0 AND relkind = 'c'`;
/** Catalogue tables in which the server finds operators and casts by types: a new row may change an expression, an order, or JSON. */
const resolved = ['pg_cast', 'pg_operator', 'pg_opclass', 'pg_amop', 'pg_amproc'];
/**
 * The catalogue rows that hold definitions. We find them by an index, or their catalogue table is small. Only tables and views in use
 * count: a temporary table, or one of another application, changes no answer.
 */
const changed = [
  // A row of pg_class has a table's partitions, row security, rights, and a materialized view's file.
  `pg_class WHERE oid = ANY ${used}`,
  `pg_attribute WHERE attrelid = ANY ${used}`,
  // Triggers, keys and rules also change what the gateway's own writes do.
  `pg_trigger WHERE tgrelid = ANY ${used}`,
  `pg_constraint WHERE conrelid = ANY ${used}`,
  'pg_constraint WHERE contypid >= 16384',
  `pg_rewrite WHERE ev_class = ANY ${used}`,
  `pg_policy WHERE polrelid = ANY ${used}`,
  `pg_attrdef WHERE adrelid = ANY ${used}`,
  // Comments, which `datastore_info` shows.
  `pg_description WHERE objoid = ANY ${used}`,
  'pg_inherits WHERE TRUE',
  // JSON shows the attributes of composite types as names, even if the type is nested, in an array or in a view's expression.
  `pg_class WHERE ${isComposite}`,
  `pg_attribute WHERE attrelid IN (SELECT oid FROM pg_class WHERE ${isComposite})`,
  // This includes NOT NULL of domains, and the columns of tables whose row type a column has.
  `pg_type WHERE oid = ${usedTypes}`,
  `pg_class WHERE oid = ${usedRows}`,
  `pg_attribute WHERE attrelid = ${usedRows}`,
  // Not `pg_…`, because a session's first temporary table creates a schema `pg_temp_…`.
  `pg_namespace WHERE nspname !~ '^pg_'`,
  ...['pg_proc', 'pg_enum', ...resolved].map((catalog) => `${catalog} WHERE oid >= 16384`),
  // Includes the server's built-in ones, because an administrator may alter them.
  ...['pg_ts_config', 'pg_ts_dict', 'pg_ts_config_map', 'pg_auth_members'].map((catalog) => `${catalog} WHERE TRUE`),
];
/** We count these rows, because a dropped object leaves no new row behind. */
const dropped = [
  `pg_class WHERE oid = ANY ${used}`,
  `pg_description WHERE objoid = ANY ${used}`,
  `pg_namespace WHERE nspname !~ '^pg_'`,
  ...['pg_proc', ...resolved].map((catalog) => `${catalog} WHERE oid >= 16384`),
  ...['pg_policy', 'pg_inherits', 'pg_auth_members', 'pg_ts_config', 'pg_ts_dict', 'pg_ts_config_map'],
];
/** A digest, because the rows of `pg_roles` have no transaction ids. Only superusers, members of roles and our own user matter. */
const roles = `SELECT md5(string_agg(concat_ws(' ', oid, rolname, rolsuper, rolbypassrls, rolinherit), ',' ORDER BY oid)) FROM pg_roles
    WHERE rolsuper OR rolbypassrls OR rolname = current_user OR oid IN (SELECT member FROM pg_auth_members)`;

/**
 * Two cells. One has the ids of transactions since `$1` that have changed a definition (a definition is a catalogue row, which has the id
 * of its transaction). The other is a text that changes if a definition was dropped.
 */
const marks = `(SELECT string_agg(DISTINCT id::text, ' ') FROM (
  ${changed.map((rows) => `SELECT xmin FROM ${rows} AND age(xmin) <= age($1::text::xid)`).join(' UNION ALL ')}) young(id)),
  concat_ws(' ', ${dropped.map((rows) => `(SELECT count(*) FROM ${rows})`).join(', ')},
    (${roles}), (SELECT datdba FROM pg_database WHERE datname = current_database()))`;

/** Milliseconds spent on the cells before this one: the server computes cells from left to right. */
const took = `round(1000 * extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 3)`;

/** Makes it a prepared statement, because planning this query takes the server longer than running it. */
const template = {};

/**
 * Asks which definitions have changed since a commit marker.
 * @param more SQL of further cells, which must be the same in each call
 * @param value the value of `$3` in those cells
 */
export const definitionsSince = (
  marker: string,
  relations: readonly Relation[],
  more: string,
  value: string,
): Statement => ({
  template,
  text: `WITH used AS MATERIALIZED (SELECT array_agg(id) AS ids FROM (${ids}) ids),
    typed AS MATERIALIZED (SELECT array_agg(oid) AS types, array_agg(typrelid) AS rows FROM (${types}) types) SELECT ${marks}, ${took}, ${more}`,
  values: [
    String((snapshotOf(marker)?.first ?? 0n) % 2n ** 32n),
    JSON.stringify(relations.map(({ schema, name }) => [schema, name])),
    value,
  ],
});

/** Milliseconds of a `definitionsSince` query that `took` does not measure (on PostgreSQL 15, with 3 to 300 tables). */
const unmeasuredMs = 0.4;
/** Reads an answer: the marks of changed definitions, the milliseconds spent on finding them, and the further cells. */
export const definitionsIn = ([changed = '', dropped = '', took = '', ...more]: readonly string[]) => ({
  ddlMarks: [...words(changed), `dropped ${dropped}`],
  workMs: unmeasuredMs + Number(took),
  more,
});

export const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));
