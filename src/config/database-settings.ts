/** The settings of databases and of connections to them. Pure. */
import { z } from 'zod';
import {
  type EmbeddedClient,
  embeddedClients,
  type ServerClient,
  serverClients,
  serverEngine,
} from '../model/engines.ts';
import {
  choice,
  duration,
  durationOrNone,
  flag,
  mapping,
  maybe,
  needed,
  poolMax,
  section,
  setting,
  text,
  wholeNumber,
} from './readers.ts';

const tls = mapping({
  ca: maybe(
    text('a file or PEM text'),
    "Node's own list",
    'Certificate authority of the server: a file, or the PEM text itself.',
  ),
  rejectUnauthorized: setting(flag, true, 'Whether the certificate of the server is verified.'),
});

/** The kinds of servers for help texts: `mysql (MariaDB too), postgres`. */
const serverKinds = serverClients
  .map((client) => {
    const { also } = serverEngine(client);
    return also === undefined ? client : `${client} (${also} too)`;
  })
  .join(', ');
const clientHelp = `Kind of server: ${serverKinds}, or ${embeddedClients.join(', ')} (embedded).`;
const ports = serverClients.map((client) => `${serverEngine(client).port} (${client})`).join(', ');

/** A connection as a mapping, instead of a URL. */
export const connectionObject = mapping({
  host: maybe(text('a host name or address'), 'none', 'Host name or address; either this or socketPath.'),
  port: maybe(wholeNumber(1, 65535), ports, 'Port of the server.'),
  user: maybe(text('a user name'), "the driver's", 'User to log in as.'),
  password: maybe(z.string('text'), 'none', 'Password of the user, without escaping.'),
  database: needed(text('the name of a database'), 'Name of the database on the server.'),
  socketPath: maybe(text('a path'), 'none', 'Unix socket instead of host: its file (mysql) or its folder (postgres).'),
  tls: setting(z.union([flag, tls], 'true, false or a mapping'), false, 'Whether and how the connection is encrypted.'),
});

const aConnection = 'a URL such as mysql://user:password@host:3306/database, or a mapping';
/** The settings of a database on a server, as opposed to an embedded one. */
export const serverSettings = (client: ServerClient) =>
  mapping({
    client: needed(z.literal(client), clientHelp),
    connection: needed(
      z.union([z.string(), connectionObject], aConnection),
      'Address and login of the server: a URL or a mapping.',
    ),
    pool: section({
      max: setting(wholeNumber(1, 1000), poolMax, 'Maximum number of connections, of all workers together.'),
      acquireTimeout: setting(duration(1), '2s', 'Maximum time that a call waits for a free connection.'),
    }),
    statementTimeout: setting(duration(1), '10s', 'Maximum time that a statement may run.'),
    maxStaleness: setting(
      durationOrNone,
      '50ms',
      'Maximum age of a cached answer after a commit past the gateway; 0 = the server is asked for each; none = the `ttl` alone.',
    ),
    feed: setting(
      choice('auto', 'required', 'none'),
      'auto',
      'Whether the log of the server is read for the tables that others write, so that other answers stay cached: auto = where it can be, unless it has more than 1000 commits a second; required = always, or the gateway does not start.',
    ),
    feedConnection: maybe(
      z.union([z.string(), connectionObject], aConnection),
      'that of the database',
      'Address and login for the log, if they differ: the role that reads it can read all data of the server.',
    ),
    refresh: setting(duration(0), '60s', 'Interval after which the table definitions are read again; 0 = never.'),
    replicas: setting(
      z
        .array(z.union([z.string(), connectionObject], aConnection), 'a list of connections')
        .refine(({ length }) => length <= 16, 'at most 16 replicas')
        .meta({ maxItems: 16 }),
      [],
      'Addresses and logins of read replicas of the server, each as `connection`: they answer downloads, and reads that are cached.',
    ),
  });
const inProcess = (client: EmbeddedClient) =>
  mapping({
    client: needed(z.literal(client), clientHelp),
    directory: maybe(text('a folder'), 'in memory', 'Folder of the embedded database, relative to this file.'),
  });
/** A database. */
export const database = z.discriminatedUnion(
  'client',
  atLeastOne([...serverClients.map(serverSettings), ...embeddedClients.map(inProcess)]),
  {
    error: (issue) =>
      issue.code === 'invalid_union' ? `${serverKinds} or ${embeddedClients.join(' or ')}` : 'a mapping',
  },
);

function atLeastOne<T>([first, ...others]: readonly T[]): readonly [T, ...T[]] {
  if (first === undefined) throw new Error('no engine');
  return [first, ...others];
}
