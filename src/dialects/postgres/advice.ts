/** Reads the facts for `check --advise` from pg_catalog. We never execute the SQL that we suggest to the operator. */
import type { Advisor, PlanFacts, Remedies, Replica, ServerFacts } from '../../model/advice.ts';
import type { Server, TableName } from '../../model/catalog.ts';
import { type Answer, plain, type Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { list, text } from '../cells.ts';
import { remediesFor, type Surroundings } from './remedies.ts';

/** Built-in roles whose rights reach beyond single tables. */
const mightyRoles = `'pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'`;
const user = `SELECT r.rolname, r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls,
  (SELECT json_agg(g.rolname ORDER BY g.rolname) FROM pg_roles g WHERE g.rolname IN (${mightyRoles}) AND pg_has_role(r.oid, g.oid, 'MEMBER')),
  r.rolconnlimit, d.datconnlimit, current_setting('max_connections'), current_setting('superuser_reserved_connections'),
  (SELECT setting FROM pg_settings WHERE name = 'idle_session_timeout'), pg_is_in_recovery() OR (SELECT reset_val = 'on' FROM pg_settings WHERE name = 'default_transaction_read_only'), quote_ident(d.datname),
  (SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'),
  EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm'),
  (SELECT setting FROM pg_settings WHERE name = 'transaction_timeout')
  FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`;

/**
 * A standby lags behind by at most the age of the last commit that it has replayed. That age also grows while nobody writes, so a standby
 * that has replayed everything it received, and is still receiving, does not lag behind.
 */
const standby = `SELECT EXISTS (SELECT FROM pg_stat_wal_receiver), pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn(),
  (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint WHERE pg_is_in_recovery()`;

const wantedTables = `unnest($1::text[], $2::text[]) w(s, t) JOIN pg_namespace n ON n.nspname = w.s
  JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.t AND c.relkind IN ('r', 'p')`;
/** Facts about tables. Statistics only count as missing on tables of more than a few pages. Partitioned tables only get them from ANALYZE. */
const tables = `SELECT n.nspname, c.relname, c.relkind, pg_has_role(c.relowner, 'USAGE'),
  (c.relkind = 'p' OR pg_relation_size(c.oid) > 100000) AND c.reltuples <= 0
    AND pg_stat_get_last_analyze_time(c.oid) IS NULL AND pg_stat_get_last_autoanalyze_time(c.oid) IS NULL
    AND NOT EXISTS (SELECT FROM pg_stats s WHERE s.schemaname = n.nspname AND s.tablename = c.relname),
  (SELECT json_agg(DISTINCT format('%I.%I', sn.nspname, s.relname)) FROM pg_attrdef ad
    JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = ad.oid AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class s ON s.oid = d.refobjid AND s.relkind = 'S' JOIN pg_namespace sn ON sn.oid = s.relnamespace WHERE ad.adrelid = c.oid), c.relrowsecurity,
  CASE WHEN c.relkind = 'r' AND c.reltuples > 0 THEN (pg_table_size(c.oid) / c.reltuples)::bigint END
  FROM ${wantedTables}`;
/** Foreign keys for which no non-partial index begins with their columns, in any order. Of partitions we only read the parent's key. */
const unindexed = `SELECT n.nspname, c.relname, cn.nspname, child.relname, child.relkind, child.reltuples::bigint,
  (SELECT json_agg(a.attname ORDER BY u.nth) FROM unnest(k.conkey) WITH ORDINALITY u(att, nth)
    JOIN pg_attribute a ON a.attrelid = child.oid AND a.attnum = u.att)
  FROM ${wantedTables} JOIN pg_constraint k ON k.confrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0
  JOIN pg_class child ON child.oid = k.conrelid JOIN pg_namespace cn ON cn.oid = child.relnamespace
  WHERE NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = child.oid AND i.indisvalid AND i.indpred IS NULL
    AND (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)
  ORDER BY cn.nspname, child.relname, k.conname`;

/** Views that read with their caller's rights (PostgreSQL 15 and newer). */
const invokers = `SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'v' AND c.reloptions::text ~ 'security_invoker=(true|on|yes|1)'`;

/**
 * Triggers that run with the rights of the user who writes: their function does not say otherwise. Functions in C, such as the server's
 * own, read no other table.
 */
const triggers = `SELECT n.nspname, c.relname, json_agg(DISTINCT format('%I.%I', pn.nspname, p.proname)) FROM ${wantedTables}
  JOIN pg_trigger t ON (t.tgrelid = c.oid OR t.tgrelid IN (SELECT relid FROM pg_partition_tree(c.oid))) AND NOT t.tgisinternal AND t.tgenabled <> 'D'
  JOIN pg_proc p ON p.oid = t.tgfoid AND NOT p.prosecdef JOIN pg_namespace pn ON pn.oid = p.pronamespace
  JOIN pg_language l ON l.oid = p.prolang AND l.lanname NOT IN ('internal', 'c') GROUP BY 1, 2`;

const array = (items: readonly string[]): string =>
  `{${items.map((item) => `"${item.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;

function queries(tableNames: readonly TableName[]): readonly Statement[] {
  const values = [array(tableNames.map(({ schema }) => schema ?? 'public')), array(tableNames.map(({ name }) => name))];
  return [
    plain(user),
    { text: tables, values },
    { text: unindexed, values },
    plain(invokers),
    { text: triggers, values },
    plain(standby),
  ];
}

/** Reads the server's counters of rows that clients have written to each table. */
const writes = `SELECT schemaname, relname, (n_tup_ins + n_tup_upd + n_tup_del)::text FROM pg_stat_user_tables`;

/** The advisor for PostgreSQL 12 and newer. */
export const advisor = (server: Server): Advisor => ({
  queries,
  facts: (answers) => facts(answers, server),
  explain: ({ text, values }) => ({ text: `EXPLAIN (FORMAT JSON) ${text}`, values }),
  plan,
  writes: plain(writes),
  written: ({ cells }) => cells.map((row) => ({ table: at(row), mark: text(row[2]) })),
  indexesSortNulls: true,
});

const at = ([schema, name]: readonly (Cell | undefined)[]): TableName => ({ schema: text(schema), name: text(name) });

function facts(answers: readonly (Answer | null)[], server: Server): ServerFacts {
  const [users = [], found = [], keys = [], views = [], triggered = [], standbys = []] = answers.map(
    (answer) => answer?.cells ?? [],
  );
  const [me = []] = users;
  const isSuper = me[1] === 't';
  const limits = [me[7], me[8]].map((cell) => Number(text(cell))).filter((limit) => limit >= 0);
  const reserved = isSuper ? 0 : Number(text(me[10]));
  const idleTimeout = Number(text(me[11]));
  const owned = isSuper ? [] : found.filter((row) => row[3] === 't').map((row) => text(row[1]));
  const surroundings: Surroundings = {
    user: text(me[0]),
    database: text(me[13]),
    trigrams: { schema: me[14] === null ? null : text(me[14]), isAvailable: me[15] === 't' },
    partitioned: [
      ...found.filter((row) => row[2] === 'p').map(at),
      ...keys.filter((row) => row[4] === 'p').map((row) => at(row.slice(2))),
    ],
    sequences: found.map((row) => ({ table: at(row), names: list(row[5]) })),
    invokers: views.map(at),
    triggers: triggered.map((row) => ({ table: at(row), functions: list(row[2]) })),
    restricted: found.filter((row) => row[6] === 't').map((row) => text(row[1])),
    server,
  };
  const remedies: Remedies = remediesFor(surroundings);
  return {
    powers: powersOf(me, owned),
    unanalyzed: found.filter((row) => row[4] === 't').map(at),
    unindexed: keys.map((row) => ({
      refersTo: at(row),
      table: at(row.slice(2)),
      columns: list(row[6]),
      rows: Number(text(row[5])) > 0 ? Number(text(row[5])) : null,
    })),
    sizes: found.flatMap((row) => (row[7] === null ? [] : [{ table: at(row), bytes: Number(text(row[7])) }])),
    isReadOnly: me[12] === 't',
    replica: replicaOf(standbys),
    endsReads: true,
    transactionTimeout: Number(text(me[16])) > 0 ? Number(text(me[16])) : null,
    connections: me.length === 0 ? null : Math.min(Number(text(me[9])) - reserved, ...limits),
    idleTimeout: idleTimeout > 0 ? idleTimeout : null,
    remedies,
  };
}

function replicaOf([standby]: Answer['cells']): Replica | null {
  if (standby === undefined) return null;
  const [receives, isEven, age = null] = standby;
  const isReceiving = receives === 't';
  return { isReceiving, lag: isReceiving && isEven === 't' ? 0 : age === null ? null : Number(text(age)) };
}

function powersOf(
  [, isSuper, roles, databases, replicates, bypasses, mighty]: readonly Cell[],
  owned: readonly string[],
) {
  // A superuser can do everything else, too.
  if (isSuper === 't') return ['is a superuser of this server'];
  const ownedNames =
    owned.length > 3 ? `${owned.slice(0, 3).join(', ')} and ${owned.length - 3} more` : owned.join(', ');
  return [
    ...(roles === 't' ? ['may create roles'] : []),
    ...(databases === 't' ? ['may create databases'] : []),
    ...(replicates === 't' ? ['may replicate the server'] : []),
    ...(bypasses === 't' ? ['sees rows in spite of policies'] : []),
    ...list(mighty).map((role) => `is a member of ${role}`),
    ...(owned.length > 0 ? [`owns ${ownedNames}`] : []),
  ];
}

/** Reads the scans of a plan. An index scan without a condition reads the whole index. */
function plan(answer: Answer): PlanFacts {
  const written = text(answer.cells[0]?.[0]);
  const parsed: unknown = JSON.parse(written);
  const nodes = nodesIn(parsed);
  const isFull = (node: Node) =>
    node.type === 'Seq Scan' || (/^Index (Only )?Scan$/.test(node.type) && !node.members.includes('Index Cond'));
  return { readsAll: nodes.some(isFull), sorts: nodes.some(({ type }) => type === 'Sort') };
}

interface Node {
  readonly type: string;
  readonly members: readonly string[];
}

function nodesIn(part: unknown): readonly Node[] {
  if (Array.isArray(part)) return part.flatMap(nodesIn);
  if (typeof part !== 'object' || part === null) return [];
  const below = Object.values(part).flatMap(nodesIn);
  return 'Node Type' in part ? [{ type: String(part['Node Type']), members: Object.keys(part) }, ...below] : below;
}
