/** Finds the other tables that a write changes, from pg_catalog: one query for the whole database. */
import type { Effects, Relation } from '../../model/catalog.ts';
import type { Answer, Statement } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { multirange } from './definitions.ts';

/** The schema and the name of the table with this alias. */
const relation = (c: string) => `(SELECT n.nspname FROM pg_namespace n WHERE n.oid = ${c}.relnamespace), ${c}.relname`;
/** Leaves out the system's relations, and temporary ones, which only their own session reads. */
const isOurs = (c: string) =>
  `${c}.relpersistence <> 't' AND ${c}.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

/** A view shows its base tables, and a write to the view changes them. A materialized view stores its own rows. */
const views = `SELECT DISTINCT 'view', ${relation('below')}, ${relation('v')} FROM pg_rewrite r
  JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'v' AND ${isOurs('v')}
  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> v.oid
  JOIN pg_class below ON below.oid = d.refobjid AND below.relkind IN ('r', 'p', 'v', 'm', 'f')`;
const partitions = `SELECT 'part', ${relation('part')}, ${relation('whole')} FROM pg_inherits i
  JOIN pg_class part ON part.oid = i.inhrelid AND part.relkind IN ('r', 'p', 'f') JOIN pg_class whole ON whole.oid = i.inhparent`;
const cascades = `SELECT DISTINCT 'cascade', ${relation('c')}, ${relation('child')} FROM pg_constraint k
  JOIN pg_class c ON c.oid = k.confrelid JOIN pg_class child ON child.oid = k.conrelid
  WHERE k.contype = 'f' AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd'))`;
const triggers = `SELECT DISTINCT 'changes', ${relation('c')}, 'it has triggers', NULL FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgenabled <> 'D'`;
/**
 * Relations on which a write calls a volatile function, because an object `o` of this catalogue table (such as a default) calls it. The
 * function may write to any table. Functions in C hardly ever do (uuid_generate_v4() is one), and built-in ones (oid below 16384) never.
 */
const callers = (catalog: string, relation: string, more = '') => `SELECT ${relation} FROM pg_depend d
  LEFT JOIN pg_operator op ON d.refclassid = 'pg_operator'::regclass AND op.oid = d.refobjid
  JOIN pg_proc f ON f.oid = coalesce(op.oprcode::oid, d.refobjid) AND f.provolatile = 'v'
  JOIN pg_language l ON l.oid = f.prolang AND l.lanname NOT IN ('internal', 'c')
  JOIN ${catalog} o ON o.oid = d.objid ${more}
  WHERE d.classid = '${catalog}'::regclass AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) AND d.refobjid >= 16384`;
/** Objects that call functions in a write: a default or condition of a table or a domain, a policy, a view that is written through. */
const calling = [
  callers('pg_attrdef', 'o.adrelid'),
  callers('pg_constraint', 'o.conrelid'),
  callers('pg_type', 'a.attrelid', 'JOIN pg_attribute a ON a.atttypid = o.oid'),
  callers('pg_constraint', 'a.attrelid', 'JOIN pg_attribute a ON a.atttypid = o.contypid'),
  callers('pg_policy', 'o.polrelid'),
  callers('pg_rewrite', 'o.ev_class'),
];
const functionsOfWrites = `SELECT DISTINCT 'changes', ${relation('c')}, 'its writes call functions', NULL FROM pg_class c
  WHERE c.oid IN (${calling.join(' UNION ALL ')})`;
const rules = `SELECT DISTINCT 'changes', ${relation('c')}, 'it has rules', NULL FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
  WHERE r.ev_type <> '1' AND ${isOurs('c')}`;
const foreign = (kind: string) =>
  `SELECT '${kind}', ${relation('c')}, 'it is a foreign table', NULL FROM pg_class c WHERE c.relkind = 'f'`;
const unlogged = `SELECT 'unlogged', ${relation('c')}, NULL, NULL FROM pg_class c WHERE c.relpersistence = 'u' AND c.relkind IN ('r', 'm')`;
/** Views that call functions, also through operators: a function may read any table. */
const functions = `SELECT DISTINCT 'shows', ${relation('v')}, 'it is a view that calls functions', NULL FROM pg_rewrite r
  JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'v' AND v.relpersistence <> 't'
  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
  AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) AND d.refobjid >= 16384`;
/** Types and the types inside them: arrays, domains, ranges, rows of tables and composite types. Computed once for the whole query. */
const parts = `parts(whole, part) AS MATERIALIZED (
  SELECT oid, typelem FROM pg_type WHERE typelem <> 0 UNION ALL SELECT oid, typbasetype FROM pg_type WHERE typbasetype <> 0
  UNION ALL SELECT rngtypid, rngsubtype FROM pg_range
  UNION ALL SELECT ${multirange}, rngtypid FROM pg_range r WHERE ${multirange} IS NOT NULL
  UNION ALL SELECT c.reltype, a.atttypid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.reltype <> 0 AND c.oid >= 16384)`;
/** A query for these types and all types that contain one. @param types a query for oids */
const withWholes = (types: string) =>
  `WITH RECURSIVE found(id) AS (${types} UNION SELECT whole FROM found JOIN parts ON part = found.id) SELECT id FROM found`;
/** Types such as regclass, whose values are numbers but shown as names. @param except names of types to leave out, without `reg` */
const naming = (except = '$') =>
  `SELECT oid FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typname ~ '^_?(reg(?!${except})|aclitem$)'`;
/**
 * pg_depend does not list built-in objects (oid below 16384), so we search the view's stored text. Some built-in functions read tables
 * that are named in a text, large objects or definitions, and the log has no rows for changes of the system's tables. (We leave out names
 * of text search configurations and dictionaries, because they are hardly ever shown.)
 */
const systems = `SELECT DISTINCT 'shows', ${relation('v')}, 'it is a view that shows what the system keeps', NULL FROM pg_rewrite r
  JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'v' AND ${isOurs('v')}
  WHERE r.oid >= 16384 AND (r.ev_action::text ~ (SELECT format(':(((result|const|var|funcresult)type )|((func)?coltypes [(]o [0-9 ]*\\m))(%s)\\M', string_agg(id::text, '|')) FROM (${withWholes(naming('config|dictionary'))}) t)
    OR EXISTS (SELECT FROM regexp_matches(r.ev_action::text, ':(funcid|relid) ([0-9]+)', 'g') AS used(part)
      WHERE part[2]::bigint BETWEEN 1 AND 16383 AND (part[1] = 'relid' OR part[2]::oid IN (SELECT f.oid FROM pg_proc f
      WHERE f.oid < 16384 AND (f.provolatile = 'v' OR f.oid = 'age(xid)'::regprocedure
        OR f.proname ~ '_to_xml|^pg_|^txid_|^has_|_description$|^to_reg|^regclass$|^format_type$|^row_security_active$|^mxid_age$')))))`;
const names = `SELECT DISTINCT 'shows', ${relation('c')}, 'it shows names of definitions', NULL FROM pg_attribute a
  JOIN pg_class c ON c.oid = a.attrelid AND c.relkind <> 'i' AND ${isOurs('c')} WHERE a.atttypid IN (${withWholes(naming())})`;
const judging = `SELECT k.contypid FROM pg_constraint k JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = k.oid
  WHERE k.contypid <> 0 AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) AND d.refobjid >= 16384`;
/** Views whose types call functions: a cast to a domain runs its checks, and a user-defined cast to JSON runs for every value of its type. */
const casts = `SELECT DISTINCT 'shows', ${relation('v')}, 'it is a view whose types call functions', NULL FROM pg_class v
  WHERE v.relkind = 'v' AND ${isOurs('v')} AND (EXISTS (SELECT FROM pg_cast WHERE oid >= 16384 AND castfunc >= 16384 AND casttarget IN ('json'::regtype, 'jsonb'::regtype))
    OR v.oid IN (SELECT r.ev_class FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_type'::regclass
      WHERE d.refobjid IN (${withWholes(judging)})))`;
const policies = `SELECT 'shows', ${relation('c')}, 'it has policies on its rows', NULL FROM pg_class c WHERE c.relrowsecurity`;
/** Views that show a sequence. A sequence advances without a commit, and the log does not name it, even if it is restarted. */
const sequences = (
  kind: string,
) => `SELECT DISTINCT '${kind}', ${relation('v')}, 'it shows a sequence', NULL FROM pg_rewrite r
  JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'v' JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
  AND d.refclassid = 'pg_class'::regclass JOIN pg_class s ON s.oid = d.refobjid AND s.relkind = 'S'`;
const itself = `SELECT 'server', (SELECT system_identifier::text FROM pg_control_system()), NULL, current_database(), NULL`;

export const effectsQuery: Statement = {
  text: `WITH ${parts} ${[
    itself,
    views,
    partitions,
    cascades,
    triggers,
    functionsOfWrites,
    rules,
    foreign('changes'),
    foreign('shows'),
    foreign('elsewhere'),
    sequences('shows'),
    sequences('elsewhere'),
    unlogged,
    functions,
    systems,
    names,
    casts,
    policies,
  ]
    .map((query) => `(${query})`)
    .join(' UNION ALL ')}`,
  values: [],
};

/** @param answer the answer to `effectsQuery`; every user may read what it reads */
export function effects(answer: Answer | null): Effects {
  const rows = (answer?.cells ?? []).map((row) => row.map(text));
  const [, server = '', , database = ''] = rows.find(([kind]) => kind === 'server') ?? [];
  const of = (kind: string) => rows.filter(([found]) => found === kind);
  const at = (schema = '', name = ''): Relation => ({ database, schema, name });
  const edge = ([, schema, name, toSchema, toName]: readonly string[]) => ({
    from: at(schema, name),
    to: at(toSchema, toName),
  });
  const back = (row: readonly string[]) => ({ from: edge(row).to, to: edge(row).from });
  const unproved = ([, schema, name, why = '']: readonly string[]) => ({ table: at(schema, name), why });
  return {
    server: `postgres ${server}`,
    database,
    changes: [...of('view').map(back), ...of('part').map(back), ...of('cascade').map(edge)],
    shows: [...of('view').map(edge), ...of('part').map(edge)],
    mayChangeAnything: of('changes').map(unproved),
    mayShowAnything: of('shows').map(unproved),
    elsewhere: of('elsewhere').map(unproved),
    unlogged: of('unlogged').map(([, schema, name]) => at(schema, name)),
    outsideInnodb: [],
  };
}
