/** Reads the facts for `check --advise` from information_schema and from query plans. No suggested SQL is executed. */
import type { Advisor, PlanFacts, ServerFacts } from '../../model/advice.ts';
import type { Server, TableName } from '../../model/catalog.ts';
import { type Answer, plain, type Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';
import { text } from '../cells.ts';
import { remediesFor } from './remedies.ts';
import { replicaOf, replicaQuery } from './replica.ts';
import { type Grants, matches, quote, readGrants, rolesIn } from './rights.ts';
import { endsReads } from './time-limit.ts';

const user = `SELECT CURRENT_USER(), database(), @@global.max_connections, @@session.max_user_connections,
  @@global.wait_timeout, @@global.read_only`;
/** Fails if the user may not read the stop words. We ignore its rows. */
const stopWords = 'SELECT value FROM information_schema.INNODB_FT_DEFAULT_STOPWORD LIMIT 1';
const tables = `SELECT TABLE_NAME, CREATE_OPTIONS LIKE '%partitioned%', AVG_ROW_LENGTH FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = database() AND TABLE_TYPE = 'BASE TABLE'`;

/** Views that read with their caller's rights. */
const invokers = `SELECT TABLE_NAME FROM information_schema.VIEWS WHERE TABLE_SCHEMA = database() AND SECURITY_TYPE = 'INVOKER'`;
/** When each table was last written, if the server knows. Without the hint, MySQL 8 and newer would return a value up to a day old. */
const writes = `SELECT /*+ SET_VAR(information_schema_stats_expiry = 0) */ TABLE_NAME, UPDATE_TIME FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = database() AND UPDATE_TIME IS NOT NULL`;

/** Fails on MySQL 5.7 and older, which have no roles. */
const activeRoles = 'SELECT CURRENT_ROLE()';

/** Only SHOW CREATE TABLE has the complete definition of a column. */
const queries = (server: Server, redefined: readonly TableName[]): readonly Statement[] => [
  ...[user, 'SHOW GRANTS', stopWords, tables, invokers, activeRoles, replicaQuery(server)].map(plain),
  ...redefined.map(({ name }) => plain(`SHOW CREATE TABLE ${quote(name)}`)),
];

/** The advisor for MySQL and MariaDB. */
export const advisor = (server: Server): Advisor => ({
  queries: (_, redefined) => queries(server, redefined),
  facts: (answers) => facts(answers, server),
  explain: ({ text, values }) => ({ text: `EXPLAIN FORMAT=TRADITIONAL ${text}`, values }),
  plan,
  writes: plain(writes),
  written: ({ cells }) => cells.map((row) => ({ table: { schema: null, name: text(row[0]) }, mark: text(row[1]) })),
  indexesSortNulls: false,
});

function facts(answers: readonly (Answer | null)[], server: Server): ServerFacts {
  const [users, grants, stops, tableRows, views, roles, _, ...definitions] = answers.map(
    (answer) => answer?.cells ?? null,
  );
  const [me = []] = users ?? [];
  const limits = [me[2], me[3]].map((cell) => Number(text(cell))).filter((limit) => limit > 0);
  const database = text(me[1]);
  return {
    powers: powersOf(readGrants(grants ?? null), database, rolesIn(text(roles?.[0]?.[0]))),
    unanalyzed: [],
    unindexed: [],
    sizes: (tableRows ?? []).flatMap((row) =>
      row[2] === null ? [] : [{ table: { schema: null, name: text(row[0]) }, bytes: Number(text(row[2])) }],
    ),
    isReadOnly: isOn(me[5]),
    replica: replicaOf(answers[6] ?? null, isOn(me[5])),
    endsReads: endsReads(server),
    transactionTimeout: null,
    connections: limits.length === 0 ? null : Math.min(...limits),
    idleTimeout: users === null ? null : Number(text(me[4])) * 1000,
    remedies: remediesFor({
      user: text(me[0]),
      database,
      knowsStopWords: stops !== null,
      invokers: new Set((views ?? []).map((row) => text(row[0]))),
      partitioned: new Set((tableRows ?? []).filter((row) => text(row[1]) === '1').map((row) => text(row[0]))),
      definitions: new Map(definitions.flatMap((rows) => (rows ?? []).map((row) => [text(row[0]), text(row[1])]))),
      server,
    }),
  };
}

const isOn = (cell: Cell | undefined): boolean => ['1', 'ON'].includes(text(cell));

/** Privileges that only let a user look at other users' activity, without changing anything. */
const harmless = new Set([
  'USAGE',
  'PROCESS',
  'SHOW DATABASES',
  'REPLICATION CLIENT',
  'BINLOG MONITOR',
  'SLAVE MONITOR',
]);
const shaping = new Set(['ALL PRIVILEGES', 'CREATE', 'ALTER', 'DROP', 'CREATE ROUTINE', 'EXECUTE', 'EVENT']);

/** Returns only words that look like privileges: a line of SHOW GRANTS may contain a password hash, which must not be shown. */
function powersOf({ lines, roles }: Grants, database: string, active: readonly string[]): readonly string[] {
  const privilegeNames = (privileges: readonly string[]) =>
    [...new Set(privileges)].filter((one) => /^[A-Z][A-Z_ ]*$/.test(one));
  const everywhere = privilegeNames(
    lines.filter(({ schema }) => schema === null).flatMap(({ privileges }) => privileges),
  ).filter((one) => !harmless.has(one));
  const here = privilegeNames(
    lines
      .filter(({ schema, name }) => schema !== null && name === null && matches(database, schema))
      .flatMap(({ privileges }) => privileges),
  ).filter((one) => shaping.has(one));
  const reshaped = lines
    .filter(({ privileges }) => privileges.some((one) => shaping.has(one)))
    .flatMap(({ schema, name }) => (name === null ? [] : [schema === database ? name : `${schema}.${name}`]));
  // SHOW GRANTS already lists the rights of active roles.
  const inactive = roles.filter((role) => !active.includes(role));
  if (everywhere.includes('ALL PRIVILEGES')) return ['may do everything on this server'];
  const others = everywhere.filter((one) => one !== 'FILE' && one !== 'SUPER');
  return [
    ...(everywhere.includes('SUPER') ? ['has SUPER'] : []),
    ...(everywhere.includes('FILE') ? ['may read and write files of the server (FILE)'] : []),
    ...(others.length > 0 ? [`has rights to all databases (${shortened(others, 5)})`] : []),
    ...(here.length > 0 ? [`may change more than rows of its database (${here.join(', ')})`] : []),
    ...(reshaped.length > 0 ? [`may change more than rows of ${shortened(reshaped, 3)}`] : []),
    ...(inactive.length > 0 ? [`may take on roles that the gateway never uses (${shortened(inactive, 3)})`] : []),
  ];
}

const shortened = (names: readonly string[], limit: number): string =>
  names.length > limit ? `${names.slice(0, limit).join(', ')} and ${names.length - limit} more` : names.join(', ');

/** EXPLAIN has a row for each table, with its access type. `<derived2>` and the like are intermediate results. */
function plan({ names, cells }: Answer): PlanFacts {
  const tables = cells.filter((row) => !text(row[names.indexOf('table')]).startsWith('<'));
  const column = (name: string) => tables.map((row) => text(row[names.indexOf(name)]));
  return {
    readsAll: column('type').some((type) => /^(ALL|index)$/.test(type)),
    sorts: column('Extra').some((extra) => extra.includes('Using filesort')),
  };
}
