/** All settings: name, reader, default, help. The loader, the JSON Schema and the docs are derived from them. Pure. */
import { z } from 'zod';
import { jwt, token } from './caller-settings.ts';
import { database } from './database-settings.ts';
import { explorer } from './explorer-settings.ts';
import { limits, rateLimit } from './limit-settings.ts';
import { catalog, datasets } from './metadata-settings.ts';
import { atStart, choice, duration, flag, maxStringBytes, origin, section, setting, size } from './readers.ts';
import { resource } from './resource-settings.ts';
import { admin, server, upstream } from './server-settings.ts';

/** The schema of a file. It does not check whether settings agree with one another, or whether connection URLs are valid. */
export const settingsTable = section({
  server,
  admin,
  upstream,
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
  limits,
  rateLimit,
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
  explorer,
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

/** A parsed file, before connections are read and defaults that depend on other settings are filled in. */
export type Written = z.output<typeof settingsTable>;
