/** Checks whether this user can read the server's binary log, and whether the log names all tables that change. */
import type { Server } from '../../model/catalog.ts';
import type { FeedFact, FeedFacts, LogCheck } from '../../model/feed.ts';
import { type Answer, plain } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { logStatus } from './commit-markers.ts';
import { replicaQuery } from './replica.ts';
import { grantee, readGrants } from './rights.ts';

/** Variables that identify a server: the first on MySQL, the second on some MariaDB; the others distinguish servers on one machine. */
const ownNames = ['server_uuid', 'server_uid', 'hostname', 'port', 'datadir'];
const quoted = ownNames.map((name) => `'${name}'`).join(', ');
export const identity = `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${quoted})`;
/** @param rows the answer to `identity`; it may include other variables */
export const identityIn = (rows: Answer['cells']): string =>
  JSON.stringify(rows.map((row) => row.map(text)).filter(([name = '']) => ownNames.includes(name.toLowerCase())));

const settings = `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${quoted}, 'log_bin', 'binlog_format', 'gtid_mode', 'log_slave_updates',
  'binlog_transaction_compression', 'rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled')`;

/** Asks whether the server is a replica. MariaDB's query needs no privilege. */
const replication = (server: Server): string =>
  server.product === 'mariadb'
    ? `SELECT 1 FROM information_schema.global_status WHERE variable_name = 'SLAVES_RUNNING' AND variable_value <> '0'`
    : replicaQuery(server);

export const feedCheck = (server: Server): LogCheck => ({
  identity: plain(identity),
  queries: [settings, 'SHOW GRANTS', 'SELECT CURRENT_USER()', replication(server), logStatus(server)].map(plain),
  facts: (answers) => facts(answers, server),
});

function facts(answers: readonly (Answer | null)[], server: Server): FeedFacts {
  const [set, grants, me, replicas, status] = answers.map((answer) => answer?.cells ?? null);
  const values = new Map((set ?? []).map(([name, value]) => [text(name).toLowerCase(), text(value)]));
  const isOn = (...names: readonly string[]) => names.some((name) => values.get(name) === 'ON');
  const [, , only, never] = (status?.[0] ?? []).map(text);
  const obstacles: readonly (FeedFact | null)[] = [
    ...[
      isOn('log_bin') ? null : fact('log_bin is OFF: set log_bin in the configuration of the server, and restart it'),
      missingRights(grants ?? null, text(me?.[0]?.[0]), server),
      only ? fact(`the log has only some databases: binlog_do_db is "${only}"`) : null,
      never ? fact(`the log leaves out databases: binlog_ignore_db is "${never}"`) : null,
    ],
    (replicas ?? []).length > 0 && !isOn('log_slave_updates')
      ? fact('the server is a replica, and log_slave_updates is OFF: its log lacks the changes of its primary')
      : null,
    server.product === 'mysql' && isOn(...semiSync) && !isOn('gtid_mode')
      ? fact(
          'with a semi-synchronous replica a change may be in the log for seconds before it is visible: set gtid_mode to ON',
        )
      : null,
  ];
  const format = values.get('binlog_format') ?? 'ROW';
  const remarks: readonly (FeedFact | null)[] = [
    format === 'ROW'
      ? null
      : fact(
          `binlog_format is ${format}: a statement in the log counts as a change of all tables`,
          `SET GLOBAL binlog_format = 'ROW'`,
        ),
    isOn('binlog_transaction_compression')
      ? fact(
          'binlog_transaction_compression is ON: each transaction counts as a change of all tables',
          'SET GLOBAL binlog_transaction_compression = OFF',
        )
      : null,
  ];
  return {
    ...{ obstacles: obstacles.filter((one) => one !== null), remarks: remarks.filter((one) => one !== null) },
    log: identityIn(set ?? []),
  };
}

const semiSync = ['rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled'];

const fact = (why: string, remedy: string | null = null): FeedFact => ({ why, remedy });

/** The rights that the user still needs to read the log and its current end. Null if none is missing, or if SHOW GRANTS doesn't tell. */
function missingRights(
  rows: Parameters<typeof readGrants>[0],
  user: string,
  { product, version: [major = 0, minor = 0] }: Server,
): FeedFact | null {
  const { lines, areAll } = readGrants(rows);
  const isRenamed = product === 'mariadb' && (major > 10 || minor >= 5);
  const missing = ['REPLICATION SLAVE', isRenamed ? 'BINLOG MONITOR' : 'REPLICATION CLIENT'].filter(
    (right) =>
      !lines.some(
        ({ schema, privileges }) =>
          schema === null && privileges.some((one) => one === right || one === 'ALL PRIVILEGES'),
      ),
  );
  if (!areAll || missing.length === 0) return null;
  const who = grantee(user);
  return fact(`${who} lacks ${missing.join(' and ')}`, `GRANT ${missing.join(', ')} ON *.* TO ${who}`);
}
