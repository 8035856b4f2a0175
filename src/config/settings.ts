/** The table of settings: name, default, help, reader. The loader, the JSON Schema and the docs are made from it. Pure. */
import { z } from 'zod';
import {
  type EmbeddedClient,
  embeddedClients,
  type ServerClient,
  serverClients,
  serverEngine,
} from '../model/engines.ts';
import {
  atStart,
  choice,
  duration,
  flag,
  label,
  mapping,
  maybe,
  names,
  needed,
  oneString,
  poolMax,
  section,
  setting,
  size,
  text,
  whole,
} from './readers.ts';

const url = text('an http or https URL without user, query or fragment', /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/);
const site = text('an http or https URL without a path (that is basePath)', /^https?:\/\/[^\s/?#@]+\/?$/);
const origin = text('an origin such as https://data.example.org', /^https?:\/\/[^\s/?#@]+$/);
const language = text('a language segment such as en or pt_BR', /^[a-z]{2,3}([_-][A-Za-z]{2,8})*$/);

const networks = 'true, false or a list of addresses and networks such as 10.0.0.0/8';
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an address or a network such as 10.0.0.0/8');

const tls = mapping({
  ca: maybe(text('a file or PEM text'), "Node's own list", 'Certificate authority: a file, or the PEM text itself.'),
  rejectUnauthorized: setting(flag, true, 'Whether the server must prove who it is.'),
});

/** `mysql (MariaDB too), postgres`. */
const serverKinds = serverClients
  .map((client) => {
    const { also } = serverEngine(client);
    return also === undefined ? client : `${client} (${also} too)`;
  })
  .join(', ');
const clientHelp = `Kind of server: ${serverKinds}, or ${embeddedClients.join(', ')} (embedded).`;
const ports = serverClients.map((client) => `${serverEngine(client).port} (${client})`).join(', ');

/** The object form of `connection`. */
export const connectionObject = mapping({
  host: maybe(text('a host name or address'), 'none', 'Host name or address; this or socketPath.'),
  port: maybe(whole(1, 65535), ports, 'Port of the server.'),
  user: maybe(text('a user name'), "the driver's", 'User to log in as.'),
  password: maybe(z.string('text'), 'none', 'Password of the user, as it is.'),
  database: needed(text('the name of a database'), 'Name of the database on the server.'),
  socketPath: maybe(text('a path'), 'none', 'Unix socket instead of host: the file (mysql) or its folder (postgres).'),
  tls: setting(z.union([flag, tls], 'true, false or a mapping'), false, 'Whether and how the connection is encrypted.'),
});

const aConnection = 'a URL such as mysql://user:password@host:3306/database, or a mapping';
const server = (client: ServerClient) =>
  mapping({
    client: needed(z.literal(client), clientHelp),
    connection: needed(
      z.union([z.string(), connectionObject], aConnection),
      'Where the server is: a URL or a mapping.',
    ),
    pool: section({
      max: setting(whole(1, 1000), poolMax, 'Connections at most, of all workers together.'),
      acquireTimeout: setting(duration(1), '2s', 'How long a call waits for a free connection.'),
    }),
    statementTimeout: setting(duration(1), '10s', 'How long one statement may run.'),
    refresh: setting(duration(0), '60s', 'How often the table definitions are read again; 0 = never.'),
  });
const inProcess = (client: EmbeddedClient) =>
  mapping({
    client: needed(z.literal(client), clientHelp),
    directory: maybe(text('a folder'), 'in memory', 'Folder of the embedded database, relative to this file.'),
  });
const database = z.discriminatedUnion(
  'client',
  atLeastOne([...serverClients.map(server), ...embeddedClients.map(inProcess)]),
  {
    error: (issue) =>
      issue.code === 'invalid_union' ? `${serverKinds} or ${embeddedClients.join(' or ')}` : 'a mapping',
  },
);

function atLeastOne<T>([first, ...others]: readonly T[]): readonly [T, ...T[]] {
  if (first === undefined) throw new Error('no engine');
  return [first, ...others];
}

const columnName = 'the name of a column';
const columnNames = names(columnName);
const wireName = text(
  'a name without control characters, quotation marks, a leading _ or blanks around it',
  /^(?![\s_])[^"\p{Cc}]+(?<!\s)$/u,
);
const column = section({
  hidden: setting(flag, false, 'Whether nobody may read, search, filter, sort or write it.'),
  boolean: setting(flag, false, 'Whether a TINYINT(1) is true and false.'),
  as: maybe(wireName, 'its name in the table', 'Its name in the API.'),
  readOnly: setting(flag, false, 'Whether it cannot be written.'),
  match: setting(
    choice('exact', 'collation'),
    'exact',
    'Equality of text: to the letter, or as the database compares.',
  ),
  info: maybe(z.record(z.string(), z.json(), 'a mapping'), 'none', 'Data dictionary entry: label, notes and more.'),
});

const resource = mapping({
  database: needed(text('the name of a configured database'), 'Which of the databases.'),
  table: needed(text('the name of a table'), 'Name of the table or view.'),
  schema: maybe(text('the name of a schema'), 'public', 'Schema of the table; not for mysql.'),
  aliases: setting(z.array(label('a name'), 'a list of names'), [], 'Other names of the resource in the API.'),
  title: maybe(text('a title'), 'the name of the table', 'Title for people.'),
  description: setting(z.string('text'), '', 'What it is, for people, in Markdown.'),
  id: maybe(text(columnName), 'the single-column integer primary key', 'Integer column shown as _id.'),
  key: maybe(columnNames.min(1, 'at least one column'), 'the primary key', 'Columns that identify a record.'),
  expose: setting(choice('all', 'listed'), 'all', 'All columns, or only those that `columns` names.'),
  columns: z.preprocess((v) => v ?? {}, z.record(z.string(), column, 'a mapping')).prefault({}),
  search: section({
    mode: setting(
      choice('like', 'native', 'auto'),
      'like',
      'How q is answered: by LIKE, by full text, or by what fits.',
    ),
    columns: maybe(columnNames.min(1, 'at least one column'), 'all visible ones', 'Columns that q looks in.'),
    language: setting(text('a text search configuration'), 'english', 'Text search configuration (postgres).'),
  }),
  access: section({
    read: setting(choice('public', 'token'), 'token', 'Who may read: everybody, or tokens that list the resource.'),
    write: setting(
      z.enum(['token', 'none'], 'token or none (there is no write: public)'),
      'none',
      'Who may write: tokens that list the resource, or nobody.',
    ),
    deleteAll: setting(flag, false, 'Whether a delete without conditions empties the table.'),
  }),
  cache: section({
    ttl: maybe(duration(0), 'cache.ttl', 'How old an answer may be; 0 = not cached.'),
    maxAge: maybe(
      duration(0),
      'cache.maxAge',
      'How old an answer may be that clients and proxies keep; 0 = they ask each time.',
    ),
  }),
  invalidates: setting(
    z.union([z.literal('all'), names('a resource')], 'all or a list of resources'),
    'all',
    'What a write may change beside what the catalogue proves (triggers): all of the server, or these resources.',
  ),
  allowPartial: setting(flag, false, 'Whether a failed write may stay half done on tables without transactions.'),
});

const token = mapping({
  name: needed(text('1 to 64 letters, digits, _ . or -', /^[\w.-]{1,64}$/), 'Who it is, for the log.'),
  sha256: needed(
    text('64 hexadecimal digits, as the command token prints them', /^[0-9a-fA-F]{64}$/),
    'SHA-256 of the token.',
  ),
  read: setting(names('a resource or "*"'), [], 'Resources it may read; "*" is all.'),
  write: setting(names('a resource or "*"'), [], 'Resources it may write; "*" is all that can be written.'),
});

const rates = mapping({
  perToken: maybe(whole(1), 'no limit', 'Calls with one token in each period at most, of all workers together.'),
  perAddress: maybe(whole(1), 'no limit', 'Calls from one address without a known token in each period at most.'),
  every: setting(duration(1), '1m', 'The period.'),
});

/** All settings of a file. Parsed, they lack cross references and connections only. */
export const settingsTable = section({
  server: section({
    host: atStart(setting(text('an address'), '127.0.0.1', 'Address to listen on.')),
    port: atStart(setting(whole(0, 65535), 8000, 'Port to listen on.')),
    siteUrl: maybe(site, 'http://HOST:PORT', 'Address that clients know; links are made from it.'),
    title: setting(text('a title'), 'Datastore', 'Name of the site for people.'),
    basePath: setting(text('empty or a path such as /data', /^(\/[^\s/?#]+)*$/), '', 'Path before /api.'),
    languages: setting(
      z.union([choice('any', 'none'), z.array(language)], 'any, none or a list of language segments'),
      'any',
      'Language segments that may stand before /api.',
    ),
    workers: atStart(
      setting(
        z.union([z.literal('auto'), whole(1, 256)], 'auto or a whole number from 1 to 256'),
        1,
        'Processes that answer; auto is one per processor core, but never more than a pool has connections.',
      ),
    ),
    trustProxy: setting(
      z.union([flag, z.array(network).min(1, networks)], networks),
      false,
      "Whose X-Forwarded-* headers are believed: nobody's, those of whoever connects, or of these addresses and networks.",
    ),
    compat: setting(
      z.literal(['2.12', '2.11'], '"2.12" or "2.11", in quotes'),
      '2.12',
      'Version of CKAN to answer like.',
    ),
    secret: maybe(
      text('a text of at least 32 characters', /^.{32,}$/s),
      'made anew at each start',
      'Key that seals the `after` of next_page; with it, paging goes on across a restart and on other instances.',
    ),
    reload: atStart(
      setting(
        choice('signal', 'watch'),
        'signal',
        'When the configuration is read again: on SIGHUP; or also when one of its files has changed.',
      ),
    ),
    drainTimeout: setting(duration(1), '10s', 'How long running calls may go on after SIGTERM.'),
  }),
  admin: mapping({
    host: atStart(
      setting(
        text('an address'),
        '127.0.0.1',
        'Address of /live, /ready and /metrics; without `admin` there are none.',
      ),
    ),
    port: atStart(setting(whole(0, 65535), 9100, 'Port of /live, /ready and /metrics; never the main one.')),
  })
    .nullish()
    .transform((v) => v ?? null),
  upstream: mapping({
    url: atStart(needed(url, 'Web application that gets everything that is not ours.')),
    host: atStart(
      maybe(
        text('a host name, with a port where it needs one', /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/),
        'that of url',
        "What the application gets as Host; the site's own name, where it makes links and redirects of it.",
      ),
    ),
    connectTimeout: atStart(setting(duration(1), '5s', 'How long it may take to accept a connection.')),
    idleTimeout: atStart(setting(duration(1), '2m', 'How long nothing may come or go in the midst of a request.')),
    maxRequests: atStart(
      setting(
        whole(1),
        1000,
        'Requests and WebSockets at the same time at most, of all workers together; further ones are a 503.',
      ),
    ),
  })
    .nullish()
    .transform((v) => v ?? null),
  databases: z
    .record(z.string(), database, 'a mapping with at least one database')
    .refine((v) => Object.keys(v).length > 0, 'a mapping with at least one database'),
  resources: z
    .record(z.string(), resource, 'a mapping with at least one resource')
    .refine((v) => Object.keys(v).length > 0, 'a mapping with at least one resource'),
  tokens: z.preprocess((v) => v ?? [], z.array(token, 'a list of tokens')).prefault([]),
  cache: section({
    maxBytes: atStart(setting(size(), '256MB', 'Memory for answers, of all workers together.')),
    ttl: setting(duration(0), '60s', 'How old an answer may be; 0 = not cached.'),
    maxAge: setting(
      duration(0),
      '0s',
      'How old an answer may be that clients and proxies keep; 0 = they ask each time.',
    ),
    staleIfError: setting(duration(0), '0s', 'How long an answer that is too old may stand in for a failing database.'),
  }),
  limits: section({
    connections: atStart(
      setting(
        whole(1),
        4096,
        'Connections of clients at most, of all workers together; for a new one the longest idle is closed.',
      ),
    ),
    bodyBytes: setting(size(oneString), '10MB', 'Size of a request body at most, unpacked too.'),
    questionBytes: setting(
      size(10e6),
      '256kB',
      'Size of a request body at most without the records of a write; forms count whole.',
    ),
    headerBytes: atStart(setting(size(1e6), '64KiB', 'Size of the URL and the headers of a request together at most.')),
    parameters: setting(whole(1, 100_000), 1000, 'Parameters of a call at most, in any form.'),
    responseBytes: setting(size(oneString), '64MB', 'Size of an answer at most.'),
    incomingBytes: atStart(
      setting(
        size(),
        '64MB',
        'Memory for request bodies of calls under way, of all workers together; over it the one is a 503 that stands still.',
      ),
    ),
    unsentBytes: atStart(
      setting(
        size(),
        '256MB',
        'Memory for answers that clients have not read yet, of all workers together; over it the oldest are cut off.',
      ),
    ),
    rowsDefault: setting(whole(1), 100, 'Records of a search that does not say how many.'),
    rowsMax: setting(whole(1), 32000, 'Records of a search at most.'),
    maxOffset: setting(
      z.union([z.literal('none').transform(() => null), whole(0)], 'none or a whole number from 0'),
      'none',
      'Offset of a search at most.',
    ),
    depth: setting(whole(1, 1000), 32, 'Nesting of a request body at most.'),
    inValues: setting(whole(1, 60000), 10000, 'Values of one filter at most.'),
    qWords: setting(whole(1, 1000), 16, 'Words of q at most.'),
    qBytes: setting(
      size(oneString),
      '10kB',
      'Size of q at most, and of the patterns of like and ilike in a call together.',
    ),
    recordsPerUpsert: setting(whole(1), 100000, 'Records of one write at most.'),
    totalBudget: setting(duration(1), '1s', 'Time to count exactly before the total is estimated.'),
    dumpsPerDatabase: setting(
      whole(1, 1000),
      2,
      'Dumps of one database at the same time at most, of all workers together; a client has half of them, rounded up.',
    ),
    dumpTimeout: setting(duration(1), '1h', 'Duration of a dump at most.'),
    dumpMinSpeed: setting(
      size(),
      '1kB',
      'Bytes per second that the reader of a dump must take, over a minute of waiting for it, or 5 s while others want its place.',
    ),
  })
    .refine((v) => v.rowsDefault <= v.rowsMax, { path: ['rowsMax'], error: 'at least rowsDefault' })
    .refine((v) => v.bodyBytes <= v.incomingBytes, { path: ['incomingBytes'], error: 'at least bodyBytes' }),
  rateLimit: setting(
    z.union([z.literal('none').transform(() => null), rates], 'none or a mapping'),
    'none',
    'How many calls are answered in a period; more are a 429.',
  ),
  cors: section({
    origins: setting(
      z.union(
        [z.literal('*'), z.literal('none'), z.array(origin).min(1, 'at least one origin')],
        '"*", none or a list of origins (https://host)',
      ),
      '*',
      'Web pages that may call the API; never with credentials.',
    ),
  }),
  log: section({
    format: atStart(
      setting(
        choice('auto', 'json', 'text'),
        'auto',
        'What the lines are: JSON, text for people, or text where standard error is a terminal and JSON elsewhere.',
      ),
    ),
    level: atStart(
      setting(
        choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
        'info',
        'Least severity that is logged.',
      ),
    ),
    requests: atStart(
      setting(
        choice('misses', 'all', 'none'),
        'misses',
        'Which calls are logged: all but cache hits, which are only counted; all; or only those that fail with 5xx.',
      ),
    ),
  }),
}).refine((v) => v.server.port === 0 || v.server.port !== v.admin?.port || v.server.host !== v.admin.host, {
  path: ['admin', 'port'],
  error: 'another one than server.port',
});

/** A parsed file: the settings without connections and without defaults taken from other settings. */
export type Written = z.output<typeof settingsTable>;
