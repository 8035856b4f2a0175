/** All settings: name, reader, default, help. The loader, the JSON Schema and the docs are derived from them. Pure. */
import { z } from 'zod';
import {
  type EmbeddedClient,
  embeddedClients,
  type ServerClient,
  serverClients,
  serverEngine,
} from '../model/engines.ts';
import { jwt, rowFilter, token } from './caller-settings.ts';
import { catalog, datasets, forPeople } from './metadata-settings.ts';
import {
  atStart,
  choice,
  duration,
  durationOrNone,
  flag,
  label,
  mapping,
  maxStringBytes,
  maybe,
  names,
  needed,
  poolMax,
  section,
  setting,
  shareOfAll,
  size,
  text,
  wholeNumber,
} from './readers.ts';

const url = text('an http or https URL without user, query or fragment', /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/);
const site = text('an http or https URL without a path (that is basePath)', /^https?:\/\/[^\s/?#@]+\/?$/);
// An origin also becomes part of a Content-Security-Policy, where `;` would end the directive.
const origin = text('an origin such as https://data.example.org', /^https?:\/\/[^\s/?#@;,'"]+$/);
const language = text('a language segment such as en or pt_BR', /^[a-z]{2,3}([_-][A-Za-z]{2,8})*$/);

const layer = mapping({
  file: needed(text('a file of GeoJSON'), 'GeoJSON of lines or polygons, at most 1MB. Everybody may read it.'),
  title: needed(label('a title'), 'Title.'),
});
const tileUrl = 'an https URL with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png';
const tiles = mapping({
  // The origin also becomes part of a Content-Security-Policy.
  url: needed(
    text(tileUrl, /^https?:\/\/[^\s/?#@;,'"{}]+\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})[^\s"]+$/),
    'URL of the images. Their server learns which area is looked at.',
  ),
  attribution: needed(label('a text'), 'Credit that their licence demands.'),
});

const networks = 'true, false or a list of addresses and networks such as 10.0.0.0/8';
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an address or a network such as 10.0.0.0/8');

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
const database = z.discriminatedUnion(
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

const columnName = 'the name of a column';
const columnNames = names(columnName);
const wireName = text(
  'a name without control characters, quotation marks, a leading _ or blanks around it',
  /^(?![\s_])[^"\p{Cc}]+(?<!\s)$/u,
);
const column = section({
  hidden: maybe(
    flag,
    'false',
    'Whether the column is excluded from reads, searches, filters, sorts and writes. `false` says that you have looked: no advice.',
  ),
  boolean: setting(flag, false, 'Whether an integer is shown as true and false; all but 0 and 1 are a 409.'),
  as: maybe(wireName, 'its name in the table', 'Name of the column in the API.'),
  readOnly: setting(flag, false, 'Whether writes to the column are rejected.'),
  match: setting(
    choice('exact', 'collation'),
    'exact',
    'Equality of text: character for character, or by the collation of the database.',
  ),
  info: maybe(
    z.record(z.string(), z.json(), 'a mapping'),
    'none',
    'Entry of the data dictionary: label, notes and more.',
  ),
  references: maybe(
    mapping(
      { resource: text('the id of a resource'), column: text(columnName) },
      'a mapping such as { resource: countries, column: code }',
    ),
    'foreign keys',
    'What the values refer to, in place of foreign keys: `{ resource: ID, column: NAME }`.',
  ),
});

const resource = mapping({
  database: needed(text('the name of a configured database'), 'Name of one of the databases.'),
  table: needed(text('the name of a table'), 'Name of the table or view.'),
  schema: maybe(text('the name of a schema'), 'public', 'Schema of the table; not for mysql.'),
  aliases: setting(z.array(label('a name'), 'a list of names'), [], 'Other names of the resource in the API.'),
  title: maybe(text('a title'), 'the name of the table', 'Title of the resource, for people.'),
  description: setting(z.string('text'), '', 'Description of the resource, for people, in Markdown.'),
  ...forPeople,
  id: maybe(text(columnName), 'the single-column integer primary key', 'Integer column that is shown as _id.'),
  key: maybe(columnNames.min(1, 'at least one column'), 'the primary key', 'Columns that identify a record.'),
  expose: setting(
    choice('all', 'listed'),
    'all',
    'Columns in the API: all of the table, or only those that `columns` names.',
  ),
  columns: z.preprocess((v) => v ?? {}, z.record(z.string(), column, 'a mapping')).prefault({}),
  search: section({
    mode: setting(
      choice('like', 'native', 'auto'),
      'like',
      'How q searches: with LIKE, with full text, or with full text for words that an index can answer.',
    ),
    columns: maybe(columnNames.min(1, 'at least one column'), 'all visible ones', 'Columns that q searches.'),
    language: setting(text('a text search configuration'), 'english', 'Text search configuration (postgres).'),
  }),
  where: maybe(
    rowFilter,
    'all rows',
    'Filter of the rows that the resource has, as in `filters`; with claims, of each caller.',
  ),
  access: section({
    read: setting(
      choice('public', 'token', 'upstream'),
      'token',
      'Permission to read: every client, tokens that list the resource, or these and whom the upstream (CKAN) lets read it.',
    ),
    write: setting(
      z.enum(['token', 'upstream', 'none'], 'token, upstream or none (there is no write: public)'),
      'none',
      'Permission to write: tokens that list the resource, these and whom the upstream (CKAN) lets write it, or no client.',
    ),
    deleteAll: setting(flag, false, 'Whether a delete without conditions empties the table.'),
    aggregate: setting(flag, true, 'Whether datastore_aggregate may count its records in groups.'),
    sql: setting(flag, false, 'Whether datastore_search_sql may read it.'),
  }),
  cache: section({
    ttl: maybe(duration(0), 'cache.ttl', 'Maximum age of a fresh cache entry; 0 = no caching.'),
    maxAge: maybe(
      duration(0),
      'cache.maxAge',
      'Maximum age of a response in the caches of clients and proxies; 0 = they revalidate each time.',
    ),
  }),
  shadow: mapping({
    resource: maybe(
      text('the id of a resource of the upstream'),
      'the id of this resource',
      'Id of the resource of the upstream (CKAN) whose DataStore table has the same data.',
    ),
    sample: setting(shareOfAll, 0.01, 'Share of the searches that are compared with the upstream.'),
  })
    .nullish()
    .transform((v) => v ?? null),
  invalidates: setting(
    z.union([z.literal('all'), names('a resource')], 'all or a list of resources'),
    'all',
    'Resources that triggers and the like may change on a write: all of the server, or only these.',
  ),
  allowPartial: setting(
    flag,
    false,
    'Whether a failed write may leave some records written on tables without transactions.',
  ),
});

const rates = mapping({
  perToken: maybe(
    wholeNumber(1),
    'no limit',
    'Maximum number of calls with one token in a period, of all workers together.',
  ),
  perAddress: maybe(
    wholeNumber(1),
    'no limit',
    'Maximum number of calls from one address without a valid token in a period.',
  ),
  every: setting(duration(1), '1m', 'Length of a period.'),
});

/** The schema of a file. It does not check whether settings agree with one another, or whether connection URLs are valid. */
export const settingsTable = section({
  server: section({
    host: atStart(setting(text('an address'), '127.0.0.1', 'Address to listen on.')),
    port: atStart(setting(wholeNumber(0, 65535), 8000, 'Port to listen on.')),
    siteUrl: maybe(site, 'http://HOST:PORT', 'Public address of the gateway, from which links are built.'),
    title: setting(text('a title'), 'Datastore', 'Name of the site, for people.'),
    description: setting(z.string('text'), '', 'Description of the site, in one or two sentences.'),
    basePath: setting(text('empty or a path such as /data', /^(\/[^\s/?#]+)*$/), '', 'Path in front of /api.'),
    languages: setting(
      z.union([choice('any', 'none'), z.array(language)], 'any, none or a list of language segments'),
      'any',
      'Language segments that are accepted in front of /api.',
    ),
    workers: atStart(
      setting(
        z.union([z.literal('auto'), wholeNumber(1, 256)], 'auto or a whole number from 1 to 256'),
        1,
        'Number of worker processes; auto is one per processor core, at most one per connection of the smallest pool.',
      ),
    ),
    trustProxy: setting(
      z.union([flag, z.array(network).min(1, networks)], networks),
      false,
      'Whose X-Forwarded-* headers are trusted: of no peer, of every direct peer, or of these addresses and networks.',
    ),
    compat: setting(
      z.literal(['2.12', '2.11'], '"2.12" or "2.11", in quotes'),
      '2.12',
      'Version of CKAN whose responses the gateway imitates.',
    ),
    secret: maybe(
      text('a text of at least 32 characters', /^.{32,}$/s),
      'made anew at each start',
      'Key that seals the `after` of next_page, so that it stays valid after a restart and on other instances.',
    ),
    reload: atStart(
      setting(
        choice('signal', 'watch'),
        'signal',
        'When the configuration is read again: on SIGHUP, or also when one of its files changes.',
      ),
    ),
    drainDelay: setting(
      duration(0),
      '0s',
      'Time after SIGTERM in which everything is served as before, while /ready is a 503: longer than a balancer takes to notice.',
    ),
    drainTimeout: setting(duration(1), '10s', 'Maximum time that running calls may take afterwards.'),
  }),
  admin: mapping({
    host: atStart(
      setting(text('an address'), '127.0.0.1', 'Address of /live, /ready and /metrics, which exist only with `admin`.'),
    ),
    port: atStart(
      setting(wholeNumber(0, 65535), 9100, 'Port of /live, /ready and /metrics; must differ from the main port.'),
    ),
  })
    .nullish()
    .transform((v) => v ?? null),
  upstream: mapping({
    url: atStart(needed(url, 'URL of the upstream, which gets every request that is not for the gateway.')),
    host: atStart(
      maybe(
        text('a host name, with a port where it needs one', /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/),
        'that of url',
        'Header Host of forwarded requests: the name of the site, if the upstream builds links and redirects from it.',
      ),
    ),
    connectTimeout: atStart(setting(duration(1), '5s', 'Maximum time until the upstream accepts a connection.')),
    idleTimeout: atStart(
      setting(duration(1), '2m', 'Maximum time without a byte in either direction during a request.'),
    ),
    maxRequests: atStart(
      setting(
        wholeNumber(1),
        1000,
        'Maximum number of concurrent requests and WebSockets, of all workers together; further ones are a 503.',
      ),
    ),
    access: section({
      cookies: setting(
        z.array(text('the name of a cookie', /^[\w.-]+$/), 'a list of names'),
        [],
        'Cookies that are logins, for reads of the same site only: ckan and remember_token for CKAN 2.10 and later.',
      ),
      header: maybe(
        text(
          'the name of a header of its own, such as X-My-Token',
          /^(?!(?:host|cookie|connection|transfer-encoding|content-.*)$)[a-z][a-z0-9-]*$/i,
        ),
        'Authorization and X-CKAN-API-Key alone',
        'Another header with a token, as apitoken_header_name of CKAN.',
      ),
      keep: setting(duration(1), '30s', 'How long a yes of the upstream holds; a no holds 5s at most.'),
      timeout: setting(duration(1), '3s', 'Maximum time that the upstream may take for a decision.'),
      maxRequests: setting(
        wholeNumber(1),
        32,
        'Maximum number of concurrent questions to the upstream, of all workers together; half of them are for logins that had a yes.',
      ),
    }),
  })
    .nullish()
    .transform((v) => v ?? null),
  catalog,
  databases: z
    .record(z.string(), database, 'a mapping with at least one database')
    .refine((v) => Object.keys(v).length > 0, 'a mapping with at least one database'),
  resources: z
    .record(z.string(), resource, 'a mapping with at least one resource')
    .refine((v) => Object.keys(v).length > 0, 'a mapping with at least one resource'),
  datasets,
  auth: section({
    jwt: z.preprocess((v) => v ?? [], z.array(jwt, 'a list of issuers')).prefault([]),
  }),
  tokens: z.preprocess((v) => v ?? [], z.array(token, 'a list of tokens')).prefault([]),
  cache: section({
    maxBytes: atStart(setting(size(), '256MB', 'Maximum memory of the cache, of all workers together.')),
    ttl: setting(duration(0), '60s', 'Maximum age of a fresh cache entry; 0 = no caching.'),
    otherGateways: setting(
      flag,
      false,
      'Whether other gateways serve the same databases: a write is then answered maxStaleness after its commit, when each of them has to prove what it keeps.',
    ),
    maxAge: setting(
      duration(0),
      '0s',
      'Maximum age of a response in the caches of clients and proxies; 0 = they revalidate each time.',
    ),
    staleIfError: setting(
      duration(0),
      '0s',
      'How long a cache entry may be served while the database fails, after its ttl and after its last proof.',
    ),
  }),
  limits: section({
    connections: atStart(
      setting(
        wholeNumber(1),
        4096,
        'Maximum number of client connections, of all workers together; a new one closes the longest idle one.',
      ),
    ),
    bodyBytes: setting(size(maxStringBytes), '10MB', 'Maximum size of a request body, also after decompression.'),
    questionBytes: setting(
      size(10e6),
      '256kB',
      'Maximum size of a request body without the records of a write; forms count whole.',
    ),
    headerBytes: atStart(setting(size(1e6), '64KiB', 'Maximum size of the URL and the headers of a request together.')),
    parameters: setting(wholeNumber(1, 100_000), 1000, 'Maximum number of parameters of a call, in any encoding.'),
    responseBytes: setting(size(maxStringBytes), '64MB', 'Maximum size of a response.'),
    incomingBytes: atStart(
      setting(
        size(),
        '64MB',
        'Maximum memory of request bodies of running calls, of all workers together; above it the longest stalled one is a 503.',
      ),
    ),
    unsentBytes: atStart(
      setting(
        size(),
        '256MB',
        'Maximum memory of unread responses, of all workers together; above it the oldest ones are cut off.',
      ),
    ),
    rowsDefault: setting(wholeNumber(1), 100, 'Number of records of a search without `limit`.'),
    rowsMax: setting(wholeNumber(1), 32000, 'Maximum number of records of a search.'),
    maxOffset: setting(
      z.union([z.literal('none').transform(() => null), wholeNumber(0)], 'none or a whole number from 0'),
      'none',
      'Maximum offset of a search.',
    ),
    depth: setting(wholeNumber(1, 1000), 32, 'Maximum nesting of a request body.'),
    inValues: setting(wholeNumber(1, 60000), 10000, 'Maximum number of values of a filter.'),
    qWords: setting(wholeNumber(1, 1000), 16, 'Maximum number of words of q.'),
    qBytes: setting(
      size(maxStringBytes),
      '10kB',
      'Maximum size of q, and of all patterns of like and ilike of a call together.',
    ),
    recordsPerUpsert: setting(wholeNumber(1), 100000, 'Maximum number of records of a write.'),
    totalBudget: setting(duration(1), '1s', 'Maximum time of an exact count; after it the total is estimated.'),
    aggregateBudget: setting(
      duration(1),
      '2s',
      'Maximum time to count records in groups; after it only the first 100,000 records are counted.',
    ),
    sqlBudget: setting(duration(1), '5s', 'Maximum time of a statement for datastore_search_sql.'),
    sqlLength: setting(wholeNumber(1, 100_000), 10_000, 'Maximum number of characters of a SELECT.'),
    aggregatesPerDatabase: setting(
      wholeNumber(1, 1000),
      2,
      'Maximum number of calls that count records in groups of a database, or ask SQL, at once, of all workers together.',
    ),
    dumpsPerDatabase: setting(
      wholeNumber(1, 1000),
      2,
      'Maximum number of concurrent dumps of a database, of all workers together; a client may have half, rounded up.',
    ),
    dumpTimeout: setting(duration(1), '1h', 'Maximum duration of a dump.'),
    spoolBytes: atStart(
      setting(
        z.union([z.literal(0), size()], '0 or a size such as 64kB, 10MB or 1GB'),
        '1GB',
        'Maximum disk space below TMPDIR for what dumps have read and their clients have not taken, of all workers together; 0 = none.',
      ),
    ),
    subscribers: setting(
      wholeNumber(1),
      1000,
      'Maximum number of streams of change notices, of all workers together; a client may have half, rounded up.',
    ),
    dumpMinSpeed: setting(
      size(),
      '1MB',
      'Minimum bytes per second for the client of a dump while the spool is full, averaged over 10 s; a slower one is cut off.',
    ),
  })
    .refine((v) => v.rowsDefault <= v.rowsMax, { path: ['rowsMax'], error: 'at least rowsDefault' })
    .refine((v) => v.bodyBytes <= v.incomingBytes, { path: ['incomingBytes'], error: 'at least bodyBytes' }),
  rateLimit: setting(
    z.union([z.literal('none').transform(() => null), rates], 'none or a mapping'),
    'none',
    'Limits on the number of calls in a period; calls above them are a 429.',
  ),
  cors: section({
    origins: setting(
      z.union(
        [z.literal('*'), z.literal('none'), z.array(origin).min(1, 'at least one origin')],
        '"*", none or a list of origins (https://host)',
      ),
      '*',
      'Origins of web pages that may call the API; never with credentials.',
    ),
  }),
  explorer: section({
    serve: setting(
      choice('auto', 'none'),
      'auto',
      'Whether people get the explorer; none = its addresses do not exist.',
    ),
    edit: setting(flag, true, 'Whether the explorer offers to write records, where a token may.'),
    embed: setting(
      z.union(
        [z.literal('none').transform((): string[] => []), z.array(origin).min(1, 'at least one origin')],
        'none or a list of origins (https://host)',
      ),
      'none',
      'Origins of web pages that may show the explorer in a frame, where it takes no token.',
    ),
    map: section({
      layers: setting(
        z.array(layer, 'a list of layers').max(10, 'at most 10 layers'),
        [],
        'Lines on the map, such as districts.',
      ),
      tiles: maybe(tiles, 'land only', 'Images behind the map, of another server.'),
    }),
  }),
  mcp: section({
    serve: setting(
      choice('none', 'auto'),
      'none',
      'Whether agents get the endpoint `/mcp`; none = its address does not exist.',
    ),
    origins: setting(
      z.array(origin, 'a list of origins (https://host)'),
      [],
      'Origins of web pages that may call `/mcp`, besides siteUrl; programs send none.',
    ),
    resultBytes: setting(
      size(maxStringBytes),
      '40kB',
      'Maximum size of the result of a tool; a longer one is cut to fewer records, or fewer fields.',
    ),
  }),
  log: section({
    format: atStart(
      setting(
        choice('auto', 'json', 'text'),
        'auto',
        'Format of the lines: JSON, text, or auto: text if standard error is a terminal, else JSON.',
      ),
    ),
    level: atStart(
      setting(
        choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
        'info',
        'Lowest severity that is logged.',
      ),
    ),
    requests: atStart(
      setting(
        choice('misses', 'all', 'none'),
        'misses',
        'Calls that are logged: all but cache hits, which are only counted; all; or only those with a 5xx.',
      ),
    ),
  }),
}).refine((v) => v.server.port === 0 || v.server.port !== v.admin?.port || v.server.host !== v.admin.host, {
  path: ['admin', 'port'],
  error: 'another one than server.port',
});

/** A parsed file, before connections are read and defaults are taken from other settings. */
export type Written = z.output<typeof settingsTable>;
