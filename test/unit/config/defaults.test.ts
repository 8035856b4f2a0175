import { expect, test } from 'vitest';
import { minimalYaml, settings } from '../../support/loading.ts';

/** An embedded database has one session, which no server closes. */
const oneSession = {
  pool: { max: 1, acquireTimeout: 30_000 },
  statementTimeout: 60_000,
  maxStaleness: null,
  feed: 'none',
  refresh: 0,
  replicas: [],
};

/** What a catalogue says about itself if it is not described. */
const nothing = {
  ...{ publisher: null, contact: null, licence: null, keywords: null, theme: null, language: null },
  ...{ source: null, updates: null, issued: null, area: null, period: null },
};

test('a setting that is not written has the documented default', () => {
  const { databases, resources, ...rest } = settings(minimalYaml);
  expect(rest).toEqual({
    server: {
      ...{
        host: '127.0.0.1',
        port: 8000,
        siteUrl: 'http://127.0.0.1:8000',
        basePath: '',
        languages: 'any',
        title: 'Datastore',
        description: '',
        workers: 1,
      },
      ...{ trustProxy: false, compat: '2.12', reload: 'signal', secret: null, drainDelay: 0, drainTimeout: 10_000 },
    },
    admin: null,
    upstream: null,
    catalog: { serve: 'auto', ...nothing },
    datasets: {},
    auth: { jwt: [] },
    tokens: [],
    cache: { maxBytes: 256_000_000, ttl: 60_000, otherGateways: false, maxAge: 0, staleIfError: 0 },
    limits: {
      ...{
        connections: 4096,
        incomingBytes: 64_000_000,
        bodyBytes: 10_000_000,
        questionBytes: 256_000,
        headerBytes: 65_536,
        parameters: 1000,
        responseBytes: 64_000_000,
        unsentBytes: 256_000_000,
        rowsDefault: 100,
        rowsMax: 32000,
        maxOffset: null,
        depth: 32,
      },
      ...{
        inValues: 10000,
        qWords: 16,
        qBytes: 10000,
        recordsPerUpsert: 100000,
        totalBudget: 1000,
        aggregateBudget: 2000,
        aggregatesPerDatabase: 2,
        sqlBudget: 5000,
        sqlLength: 10_000,
        dumpsPerDatabase: 2,
      },
      subscribers: 1000,
      dumpTimeout: 3_600_000,
      spoolBytes: 1_000_000_000,
      dumpMinSpeed: 1_000_000,
    },
    rateLimit: null,
    cors: { origins: '*' },
    explorer: { serve: 'auto', edit: true, embed: [], map: { layers: [], tiles: null } },
    mcp: { serve: 'none', origins: [], resultBytes: 40_000 },
    log: { level: 'info', requests: 'misses', format: 'auto' },
  });
  expect([...databases.values()]).toEqual([{ name: 'demo', client: 'pglite', directory: null, ...oneSession }]);
  expect(resources.get('films')).toEqual({
    ...{
      name: 'films',
      database: 'demo',
      table: 'film',
      schema: 'public',
      aliases: [],
      title: 'film',
      description: '',
      ...{ group: null, label: null, coordinates: null, changed: null, about: nothing },
      metadata: { ...nothing, dataset: null, group: null },
      identity: {
        uuid: 'cadc234c-92bf-5df6-82d3-c1a0212f3c3c',
        dataset: { name: 'films', uuid: '6bf31f2d-b341-57a0-893a-346d83f023cd' },
      },
      id: null,
      key: null,
    },
    ...{ expose: 'all', columns: new Map(), search: { mode: 'like', columns: null, language: 'english' } },
    ...{
      access: { read: 'token', write: 'none', deleteAll: false, aggregate: true, sql: false },
      cache: { ttl: 60_000, maxAge: 0 },
      invalidates: 'all',
    },
    ...{ where: null, callerFilters: [], shadow: null },
    allowPartial: false,
  });
});

test('no caller may read or write unless the configuration allows it', () => {
  const films = settings(minimalYaml).resources.get('films');
  expect(films?.access).toEqual({ read: 'token', write: 'none', deleteAll: false, aggregate: true, sql: false });
});

test('a section whose lines are all commented out is an absent one', () => {
  const bare = `${minimalYaml}\nserver:\ncors:\ntokens:\nupstream:\n`;
  expect(settings(bare)).toEqual(settings(minimalYaml));
});

test('a resource takes its ttl from the cache and its columns stay what they are named', () => {
  const { resources } = settings(`
databases: { demo: { client: pglite, directory: ./data } }
resources:
  films:
    database: demo
    table: film
    columns:
      " odd. name": { as: "Odd" }
      title:
  stats: { database: demo, table: stat, cache: { ttl: 0 } }
cache: { ttl: 5s }
`);
  expect(resources.get('films')?.cache.ttl).toBe(5000);
  expect(resources.get('stats')?.cache.ttl).toBe(0);
  expect([...(resources.get('films')?.columns ?? [])]).toEqual([
    [
      ' odd. name',
      { hidden: null, boolean: false, as: 'Odd', readOnly: false, match: 'exact', info: null, references: null },
    ],
    [
      'title',
      { hidden: null, boolean: false, as: null, readOnly: false, match: 'exact', info: null, references: null },
    ],
  ]);
});

test('relative paths begin where the file is', () => {
  const yaml = minimalYaml.replace('client: pglite', 'client: pglite, directory: ./data');
  expect(settings(yaml).databases.get('demo')).toEqual({
    name: 'demo',
    client: 'pglite',
    directory: '/data',
    ...oneSession,
  });
});

test('links are made from an address that works', () => {
  expect(settings(`${minimalYaml}\nserver: { host: "::1", port: 80 }`).server.siteUrl).toBe('http://[::1]:80');
  expect(settings(`${minimalYaml}\nserver: { siteUrl: "https://data.example.org/" }`).server.siteUrl).toBe(
    'https://data.example.org',
  );
});

test('a token reads and writes what it lists', () => {
  const hash = 'AB'.repeat(32);
  const { tokens } = settings(`${minimalYaml}\ntokens: [{ name: etl, sha256: ${hash}, read: ["*"], write: [films] }]`);
  expect(tokens).toEqual([
    {
      name: 'etl',
      sha256: 'ab'.repeat(32),
      read: 'all',
      write: new Set(['films']),
      where: new Map(),
      claims: {},
      until: Number.POSITIVE_INFINITY,
    },
  ]);
});

test('an environment variable can be a number or a boolean', () => {
  const yaml = `${minimalYaml}\nserver: { port: "\${PORT}" }\ncache: { ttl: "\${TTL}" }\nlimits: { maxOffset: "\${MAX}" }`;
  const { server, cache, limits } = settings(yaml, { PORT: '8080', TTL: '0', MAX: '7' });
  expect([server.port, cache.ttl, limits.maxOffset]).toEqual([8080, 0, 7]);
});
