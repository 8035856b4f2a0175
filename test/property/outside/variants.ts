/** The servers of the outside checks: one for each kind of commit marker. */
import type { ServerEngine } from '../../support/servers/engines.ts';
import { servers } from '../../support/servers/engines.ts';
import { startMariadb } from '../../support/servers/mariadb.ts';
import { startMysql56 } from '../../support/servers/mysql56.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { type Machine, thisMachine } from '../../support/servers/programs.ts';
import type { Scope } from '../../support/servers/scope.ts';

export interface Variant {
  readonly name: string;
  /** The commit markers of which the gateway must choose one; several, because a server from a URL can be set up in any way. Empty: it has none. */
  readonly commitMarkers: readonly string[];
  /** Whether no other test file uses the server. */
  readonly isAlone: boolean;
  readonly client: ServerEngine['client'];
  /** Whether the gateway can read table names from the server's log. */
  readonly hasLog: boolean;
  /** @param how `durable`: each commit is flushed to disk. `replicable`: commits can be made to wait for a standby */
  start(scope: Scope, how?: keyof typeof settings): Promise<ServerEngine>;
}

const log = ['--log-bin=log', '--server-id=1', '--binlog-format=ROW'];
const gtids = ['--gtid-mode=ON', '--enforce-gtid-consistency', '--log-slave-updates'];
const counter = "InnoDB's transaction counter";
const commitMarkers = {
  postgres: ['pg_current_snapshot'],
  mariadb: ['Innodb_max_trx_id'],
  mysql: ['gtid_executed', 'the position of the binary log', counter],
  // Its counter also changes with reads.
  mysql56: [],
};

/** The servers of this run, as they are. */
const shared = (): readonly Variant[] =>
  servers().map((engine) => ({
    name: engine.name,
    commitMarkers: commitMarkers[engine.name],
    ...{ isAlone: false, client: engine.client, hasLog: false },
    start: async () => engine,
  }));

/** Our own servers with a log that names tables, for the engines of this run. */
const logging = (): readonly Variant[] => [
  ...ownServer('postgres', 'with a log', 'pg_current_snapshot', startDecodable),
  ...ownServer('mariadb', 'with a log', 'binlog_snapshot_position', startMariadb, log),
  ...ownServer('mysql56', 'with a log', 'the position of the binary log', startMysql56, log),
  ...ownServer('mysql56', 'with GTIDs', 'gtid_executed', startMysql56, [...log, ...gtids]),
];

export const variants = (): readonly Variant[] => [...shared(), ...logging()];

const settings = {
  durable: {
    postgres: ['fsync=on', 'full_page_writes=on'],
    mysql: [
      '--innodb-flush-log-at-trx-commit=1',
      '--sync-binlog=1',
      '--innodb-flush-method=fsync',
      '--innodb-doublewrite=1',
    ],
  },
  replicable: {
    // A session has to opt in to wait for the standby, which does not exist.
    postgres: [
      ...['wal_level=replica', 'max_wal_senders=4'],
      ...['synchronous_standby_names=nobody', 'synchronous_commit=local'],
    ],
    mysql: [],
  },
};

const startDurable: Start = (scope, machine, more) =>
  startPostgres(scope, machine, {
    ...{ synchronous_commit: 'on', max_prepared_transactions: 3 },
    ...Object.fromEntries(more.map((setting) => setting.split('=', 2))),
  });
const startDecodable: Start = (scope, machine, more) =>
  startDurable(scope, machine, [...more, 'wal_level=logical', 'max_wal_senders=4']);

type Start = (scope: Scope, machine: Machine, more: readonly string[]) => Promise<string>;

function ownServer(
  name: ServerEngine['name'],
  how: string,
  token: string,
  start: Start,
  more: readonly string[] = [],
): readonly Variant[] {
  const like = servers().find((engine) => engine.name === name);
  if (like === undefined) return [];
  return [
    {
      name: `${name} ${how}`,
      commitMarkers: [token],
      ...{ isAlone: true, client: like.client, hasLog: true },
      start: async (scope, how) => ({
        ...like,
        url: await start(scope, thisMachine(), how === undefined ? more : [...more, ...settings[how][like.client]]),
      }),
    },
  ];
}
