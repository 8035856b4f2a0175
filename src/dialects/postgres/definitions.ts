/** Whether definitions have changed that answers depend on: a log of rows does not show that. */

/** An array that is computed once, so that each catalogue is asked by its index. `format` quotes names as `to_regclass` reads them. */
const used = '((SELECT ids FROM used)::oid[])';
const usedIds = `SELECT array_agg(to_regclass(format('%I.%I', r ->> 0, r ->> 1))::oid) AS ids FROM json_array_elements($3::json) r`;
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
  'pg_inherits WHERE TRUE',
  // A session that makes its first temporary table makes a schema for it.
  `pg_namespace WHERE nspname !~ '^pg_'`,
  ...['pg_proc', 'pg_enum', 'pg_ts_config', 'pg_ts_dict'].map((catalog) => `${catalog} WHERE oid >= 16384`),
  'pg_ts_config_map WHERE mapcfg >= 16384',
  'pg_auth_members WHERE TRUE',
];
/** What is dropped leaves nothing new behind. */
const dropped = [
  `pg_class WHERE oid = ANY ${used}`,
  ...['pg_policy', 'pg_inherits', 'pg_auth_members'],
  'pg_ts_config_map WHERE mapcfg >= 16384',
];

/** Goes before the query with `definitions`. */
export const withUsed = `WITH used AS MATERIALIZED (${usedIds})`;
/**
 * Two cells. The ids of transactions as young as `$2`, or younger, that have changed one of them: a definition is a row of the
 * catalogue, with the id of its transaction. And a text that differs when one was dropped. `$3`: schemas and names of the tables and
 * views that answers depend on, as JSON.
 */
export const definitions = `(SELECT string_agg(DISTINCT id::text, ' ') FROM (
  ${changed.map((rows) => `SELECT xmin FROM ${rows} AND age(xmin) <= age($2::text::xid)`).join(' UNION ALL ')}) young(id)),
  concat_ws(' ', ${dropped.map((rows) => `(SELECT count(*) FROM ${rows})`).join(', ')},
    (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user))`;
