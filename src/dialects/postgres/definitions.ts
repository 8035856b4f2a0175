/** Whether definitions have changed that answers depend on: a log of rows does not show that, and triggers do not. */
import type { Relation } from '../../model/catalog.ts';
import type { Statement } from '../../model/rows.ts';
import { snapshotOf } from './snapshots.ts';

/**
 * A query for the numbers of relations, and of the tables of which they are partitions. (`to_regclass` refuses a table in a schema
 * that the user may not use, below a view that the user may read.)
 */
const ids = `WITH RECURSIVE up(id) AS (
    SELECT c.oid FROM json_array_elements($2::json) r JOIN pg_namespace n ON n.nspname = r ->> 0
      JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = r ->> 1
    UNION SELECT inhparent FROM up JOIN pg_inherits ON inhrelid = id)
  SELECT id FROM up`;

/** An array that is computed once, so that each catalogue is asked by its index. */
const used = '((SELECT ids FROM used)::oid[])';
/** The multirange type of a range, from pg_range as `r`; NULL before PostgreSQL 14, which has no such column. */
export const multirange = `(to_jsonb(r) ->> 'rngmultitypid')::oid`;
/**
 * Types in the columns and views of the relations, and within others. The row of a table is one, too: its columns are names in JSON.
 * (OFFSET: each level would read all types, and a chain of types may be long.)
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
/** By the index of files, of which composite types have none. */
const isComposite = `reltablespace = 0 AND relfilenode = 0 AND relkind = 'c'`;
/** What the server looks for by types: another one may be found for the same expression, for an order, or for JSON. */
const resolved = ['pg_cast', 'pg_operator', 'pg_opclass', 'pg_amop', 'pg_amproc'];
/**
 * Each is found by an index, or small. Of tables and views only those that are used count: a temporary table, or another
 * application's, changes no answer.
 */
const changed = [
  // Partitions, row security, rights, and what a materialized view stores.
  `pg_class WHERE oid = ANY ${used}`,
  `pg_attribute WHERE attrelid = ANY ${used}`,
  // Triggers, keys and rules also make more of the gateway's own writes.
  `pg_trigger WHERE tgrelid = ANY ${used}`,
  `pg_constraint WHERE conrelid = ANY ${used}`,
  'pg_constraint WHERE contypid >= 16384',
  `pg_rewrite WHERE ev_class = ANY ${used}`,
  `pg_policy WHERE polrelid = ANY ${used}`,
  `pg_attrdef WHERE adrelid = ANY ${used}`,
  // Comments, which `datastore_info` shows.
  `pg_description WHERE objoid = ANY ${used}`,
  'pg_inherits WHERE TRUE',
  // The attributes of composite types are names in JSON, also of those within others, in arrays and in expressions of views.
  `pg_class WHERE ${isComposite}`,
  `pg_attribute WHERE attrelid IN (SELECT oid FROM pg_class WHERE ${isComposite})`,
  // Also that a domain is not null, and the columns of a table whose row a column has.
  `pg_type WHERE oid = ${usedTypes}`,
  `pg_class WHERE oid = ${usedRows}`,
  `pg_attribute WHERE attrelid = ${usedRows}`,
  // A session that makes its first temporary table makes a schema for it.
  `pg_namespace WHERE nspname !~ '^pg_'`,
  ...['pg_proc', 'pg_enum', ...resolved].map((catalog) => `${catalog} WHERE oid >= 16384`),
  // Also those of the server itself, which its administrator may alter.
  ...['pg_ts_config', 'pg_ts_dict', 'pg_ts_config_map', 'pg_auth_members'].map((catalog) => `${catalog} WHERE TRUE`),
];
/** A dropped object leaves no new row behind. */
const dropped = [
  `pg_class WHERE oid = ANY ${used}`,
  `pg_description WHERE objoid = ANY ${used}`,
  `pg_namespace WHERE nspname !~ '^pg_'`,
  ...['pg_proc', ...resolved].map((catalog) => `${catalog} WHERE oid >= 16384`),
  ...['pg_policy', 'pg_inherits', 'pg_auth_members', 'pg_ts_config', 'pg_ts_dict', 'pg_ts_config_map'],
];
/** `pg_roles` does not show which transaction has changed a role. A role without rights of others, unless it is the user's own, counts for nothing. */
const roles = `SELECT md5(string_agg(concat_ws(' ', oid, rolname, rolsuper, rolbypassrls, rolinherit), ',' ORDER BY oid)) FROM pg_roles
    WHERE rolsuper OR rolbypassrls OR rolname = current_user OR oid IN (SELECT member FROM pg_auth_members)`;

/**
 * Two cells. The ids of transactions as young as `$1`, or younger, that have changed one of them. A definition is a row of the
 * catalogue, with the id of its transaction. And a text that differs when one was dropped.
 */
const marks = `(SELECT string_agg(DISTINCT id::text, ' ') FROM (
  ${changed.map((rows) => `SELECT xmin FROM ${rows} AND age(xmin) <= age($1::text::xid)`).join(' UNION ALL ')}) young(id)),
  concat_ws(' ', ${dropped.map((rows) => `(SELECT count(*) FROM ${rows})`).join(', ')},
    (${roles}), (SELECT datdba FROM pg_database WHERE datname = current_database()))`;

/** Milliseconds since the server began to run the statement. Cells are computed in their order. */
const took = `round(1000 * extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 3)`;

/** The server plans such a query for longer than it runs. */
const template = {};

/**
 * Asks which definitions have changed since a token, and more.
 * @param more further cells, the same in each call
 * @param value of `$3` in those
 */
export const definitionsSince = (
  token: string,
  relations: readonly Relation[],
  more: string,
  value: string,
): Statement => ({
  template,
  text: `WITH used AS MATERIALIZED (SELECT array_agg(id) AS ids FROM (${ids}) ids),
    typed AS MATERIALIZED (SELECT array_agg(oid) AS types, array_agg(typrelid) AS rows FROM (${types}) types) SELECT ${marks}, ${took}, ${more}`,
  values: [
    String((snapshotOf(token)?.first ?? 0n) % 2n ** 32n),
    JSON.stringify(relations.map(({ schema, name }) => [schema, name])),
    value,
  ],
});

/** Milliseconds that the server takes for such a query before it runs it, and after (measured on PostgreSQL 15, 3 to 300 tables). */
const around = 0.4;
/** The marks in the answer, how long it took to find them, and the further cells. */
export const definitionsIn = ([changed = '', dropped = '', took = '', ...more]: readonly string[]) => ({
  definitions: [...words(changed), `dropped ${dropped}`],
  compared: around + Number(took),
  more,
});

export const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));
