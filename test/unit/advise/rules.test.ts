import { describe, expect, test } from 'vitest';
import type { Facts, Plans } from '../../../src/advise/facts.ts';
import { type RuleName, ruleNames } from '../../../src/advise/facts.ts';
import { advise } from '../../../src/advise/index.ts';
import type { PlanFacts } from '../../../src/model/advice.ts';
import { facts, lookup, resourceFacts, scan } from '../../support/facts.ts';
import { column, int4, text } from '../../support/table.ts';

const adviceOf = (rule: RuleName, about: Facts) =>
  advise(about, rule).map(({ path, says, sql = [], setting }) => [
    path.join('.'),
    says,
    ...sql,
    ...(setting === undefined ? [] : [`set ${setting}`]),
  ]);
const planned = (plans: Partial<Plans>): Plans => ({
  ...{ q: null, qOf: new Map(), sorted: new Map(), sortedAsIndexed: new Map() },
  ...plans,
});
const plansByName = (plans: Readonly<Record<string, PlanFacts>>) => new Map(Object.entries(plans));

test('a database without faults has no advice', () => {
  const plans = planned({
    q: lookup,
    sorted: plansByName({ id: lookup, seen: lookup }),
    sortedAsIndexed: plansByName({ amount: lookup }),
  });
  expect(advise(facts([resourceFacts({ plans })]), null)).toEqual([]);
  expect(ruleNames.flatMap((rule) => advise(facts([]), rule))).toEqual([]);
});

describe('search', () => {
  const plans = planned({ q: scan, qOf: plansByName({ title: scan }) });

  test('a large table that q reads as a whole', () => {
    expect(adviceOf('search', facts([resourceFacts({ plans })]))).toEqual([
      [
        'resources.films.search',
        'q reads all rows of film, about 300,000 rows; index its columns of text, and write `search: { mode: auto, columns: [title] }`',
        'FULLTEXT',
        'set search: { mode: auto, columns: [title] }',
      ],
    ]);
  });

  test('not of a small table, a view, or a table of unknown size', () => {
    for (const more of [{ rows: 199_999 }, { rows: null }, { kind: 'view' as const }])
      expect(adviceOf('search', facts([resourceFacts({ plans, ...more })]))).toEqual([]);
  });

  test('the setting alone, where the index is there', () => {
    const about = facts([resourceFacts({ plans })]);
    const only = {
      ...about.server.remedies,
      search: () => ({ sql: [], mode: 'auto', columns: ['a, b', `\${X}`] }) as const,
    };
    expect(adviceOf('search', { ...about, server: { ...about.server, remedies: only } })).toEqual([
      [
        'resources.films.search',
        expect.stringContaining(
          '; write `search: { mode: auto, columns: ["a, b", "$${X}"] }`, with which q no longer searches title',
        ),
        'set search: { mode: auto, columns: ["a, b", "$${X}"] }',
      ],
    ]);
    const native = {
      ...about.server.remedies,
      search: () => ({ sql: [], mode: 'native', columns: ['title'] }) as const,
    };
    const [, says] = adviceOf('search', { ...about, server: { ...about.server, remedies: native } })[0] ?? [];
    expect(says).toMatch(/`, with which q finds whole words only$/);
    const none = { ...about.server.remedies, search: () => null };
    expect(adviceOf('search', { ...about, server: { ...about.server, remedies: none } })).toEqual([]);
  });
});

describe('index', () => {
  const sorted = planned({ sortedAsIndexed: plansByName({ amount: scan, seen: scan }) });

  test('columns without an index, with the end of every sort', () => {
    expect(adviceOf('index', facts([resourceFacts({ plans: sorted })]))).toEqual([
      [
        'resources.films.table',
        'has no index that begins with amount: a filter by it, or a sort by it, reads all of its about 300,000 rows',
        'INDEX film amount id',
      ],
    ]);
    // This engine includes the primary key in every index.
    const implied = facts([resourceFacts({ plans: sorted })], {}, { indexesSortNulls: false });
    expect(adviceOf('index', implied)[0]?.[2]).toBe('INDEX film amount');
  });

  test('at most three of a table, and what its index could not sort is not promised', () => {
    const many = Array.from({ length: 5 }, (_, nth) => column(`n${nth}`, int4));
    const plans = planned({ sortedAsIndexed: plansByName(Object.fromEntries(many.map(({ name }) => [name, scan]))) });
    const about = facts([resourceFacts({ plans }, { table: { columns: many } })], {}, { indexesSortNulls: false });
    const lines = adviceOf('index', about);
    expect(lines).toHaveLength(3);
    expect(lines[0]?.[1]).toContain('or a sort by "n0 nulls first", reads');
  });

  test('only numbers and times, and only where the planner would sort', () => {
    const plans = planned({ sortedAsIndexed: plansByName({ title: scan, amount: lookup }) });
    expect(adviceOf('index', facts([resourceFacts({ plans })]))).toEqual([]);
  });
});

test('nulls: an index that cannot sort NULLs as the API does', () => {
  const one = resourceFacts({ plans: planned({ sorted: plansByName({ seen: scan }) }) });
  expect(adviceOf('nulls', facts([one]))).toEqual([]);
  expect(adviceOf('nulls', facts([one], {}, { indexesSortNulls: false }))).toEqual([
    [
      'resources.films.table',
      'has a column seen that may be NULL: a sort by it reads all of its about 300,000 rows in spite of its index; sort by "seen nulls first"; or, if it never is NULL, say so to the database',
      'NOT NULL film seen',
    ],
  ]);
});

describe('key', () => {
  const bare = { table: { key: [], keyIs: 'none', order: { by: [], isTotal: false } } } as const;

  test('a table without one', () => {
    const found = { primaryKey: [], uniqueKeys: [] };
    expect(adviceOf('key', facts([resourceFacts({}, { ...bare, found })]))).toEqual([
      ['resources.films.table', expect.stringContaining('number its records'), 'KEY film record_id'],
    ]);
  });

  test('a unique index that could be one', () => {
    const found = {
      primaryKey: [],
      uniqueKeys: [
        { name: 'u', columns: ['seen'] },
        { name: 'v', columns: ['id', 'amount'] },
      ],
    };
    expect(adviceOf('key', facts([resourceFacts({}, { ...bare, found })]))).toEqual([
      [
        'resources.films.table',
        'has no key: its pages have no total order once it is large; write `key: [id, amount]`',
        'set key: [id, amount]',
      ],
    ]);
  });

  test('a view, with a claimed key and without', () => {
    const view = { kind: 'view', primaryKey: [], uniqueKeys: [] } as const;
    expect(adviceOf('key', facts([resourceFacts({}, { ...bare, found: view })]))).toEqual([
      ['resources.films.table', expect.stringMatching(/^is a view without a key: /)],
    ]);
    expect(adviceOf('key', facts([resourceFacts({}, { table: { keyIs: 'claimed' }, found: view })]))).toEqual([
      ['resources.films.key', 'is id, which no index proves; this query must find nothing', 'REPEATED film id'],
    ]);
  });
});

test('foreign keys: only where records are deleted, and the other table is not small', () => {
  const key = {
    refersTo: { schema: null, name: 'film' },
    table: { schema: 'shop', name: 'rental' },
    columns: ['film'],
    rows: 50_000,
  };
  const written = resourceFacts({ write: 'token' });
  expect(adviceOf('foreign-keys', facts([written], { unindexed: [key] }))).toEqual([
    [
      'resources.films.access.write',
      'is token, and each deleted record makes the server read all of shop.rental, about 50,000 rows, whose film refers to it without an index',
      'INDEX rental film',
    ],
  ]);
  expect(adviceOf('foreign-keys', facts([resourceFacts()], { unindexed: [key] }))).toEqual([]);
  for (const rows of [9_999, null])
    expect(adviceOf('foreign-keys', facts([written], { unindexed: [{ ...key, rows }] }))).toEqual([]);
});

test('rights: further ones of the user, and a user without one', () => {
  expect(adviceOf('rights', facts([resourceFacts()], { powers: ['is a superuser', 'owns film'] }))).toEqual([
    [
      'databases.db',
      'uses app, who is a superuser, owns film; a user with the rights that this file needs is gw_app (give it a password)',
      'GRANT film',
    ],
  ]);
});

test('privacy: personal data for everyone, and views of tables with hidden columns', () => {
  const below = [{ table: { schema: null, name: 'person' }, hidden: ['title', 'email', 'seen'] }];
  const mentioned = new Set(['seen']);
  const resource = resourceFacts({ read: 'public', personal: ['title'], below, mentioned });
  expect(adviceOf('privacy', facts([resource])).map(([, says]) => says)).toEqual([
    'shows title to everyone, and its name or comment says personal data: hide it, or write `hidden: false`',
    'shows title, which is hidden in person: hide it, or write `hidden: false`',
    'reads person, of which email is hidden: look whether it shows it by another name',
  ]);
  expect(adviceOf('privacy', facts([resourceFacts({ personal: ['title'] })]))).toEqual([]);
});

test('statistics: of tables that are shown', () => {
  const unanalyzed = [
    { schema: null, name: 'film' },
    { schema: null, name: 'other' },
  ];
  expect(adviceOf('statistics', facts([resourceFacts()], { unanalyzed }))).toEqual([
    ['resources.films.table', expect.stringMatching(/^was never analysed/), 'ANALYZE film'],
  ]);
});

test('connections: more than the server gives, and idle ones that it ends', () => {
  const pool = { databases: ['db', 'other'], connections: 28 };
  expect(
    adviceOf('connections', facts([], { connections: 20, idleTimeout: 10_000 }, { pool })).map(([, says]) => says),
  ).toEqual([
    'and downloads may take 28 connections with those of other, but the server has 20 for this user: lower pool.max or limits.dumpsPerDatabase',
    'keeps idle sessions for 15 s, but the server ends them after 10 s: calls then wait for new ones',
  ]);
  expect(adviceOf('connections', facts([], { connections: 28, idleTimeout: 30_000 }, { pool }))).toEqual([]);
});

test('read-only: a replica behind a resource that is written', () => {
  const both = [resourceFacts(), resourceFacts({ id: 'written', write: 'token' })];
  expect(adviceOf('read-only', facts(both, { isReadOnly: true })).map(([path]) => path)).toEqual([
    'resources.written.access.write',
  ]);
  expect(adviceOf('read-only', facts(both))).toEqual([]);
});

test('read-only: how far behind a replica is', () => {
  const says = (lag: number | null, isReceiving = true) =>
    adviceOf('read-only', facts([], { replica: { lag, isReceiving } })).map((line) => line.join(' '));
  const older = 'by its lag answers are older than cache.ttl allows';
  expect(says(0)).toEqual([`databases.db is a replica, not behind now: ${older}`]);
  expect(says(1500)).toEqual([`databases.db is a replica, up to 1.5 s behind: ${older}`]);
  expect(says(null, false)).toEqual([
    `databases.db is a replica that receives nothing from its primary at the moment, how far behind is unknown: ${older}`,
  ]);
});

test('time limits: those that the server undercuts, or does not know', () => {
  const paths = (more: Parameters<typeof facts>[1]) => adviceOf('time-limits', facts([], more)).map(([path]) => path);
  expect(paths({ transactionTimeout: 10_001 })).toEqual(['limits.dumpTimeout']);
  expect(paths({ transactionTimeout: 10_000 })).toEqual(['databases.db.statementTimeout', 'limits.dumpTimeout']);
  expect(adviceOf('time-limits', facts([], { transactionTimeout: 5000 }))[0]?.[1]).toBe(
    'is 10 s, but database db ends the session of a transaction after 5 s (transaction_timeout): lower it, or raise that of this user',
  );
  expect(paths({ endsReads: false })).toEqual(['databases.db.statementTimeout']);
});

test('writers: rows that others change, where answers are cached', () => {
  const changed = [{ schema: null, name: 'film' }];
  const ways = [
    resourceFacts(),
    resourceFacts({ kind: 'foreign table' }),
    resourceFacts({ ttl: 0, kind: 'foreign table' }),
  ];
  expect(adviceOf('writers', facts(ways, {}, { changed })).map(([path, says]) => `${path} ${says}`)).toEqual([
    "resources.films.cache keeps answers about a table whose rows have just changed: unless that was this gateway, other programs' changes are seen up to 60 s late (cache.ttl)",
    "resources.films.cache keeps answers about a foreign table: other programs' changes are seen up to 60 s late (cache.ttl)",
  ]);
});

test('sizes: records that fill a response, unless something unknown is hidden', () => {
  const long = column('title', text);
  const found = { columns: [long] };
  const one = resourceFacts({}, { found });
  const sized = (bytes: number) => ({ sizes: [{ table: { schema: null, name: 'film' }, bytes }] });
  expect(adviceOf('sizes', facts([one], sized(10_001)))).toEqual([
    [
      'resources.films.table',
      'has records of about 10 kB: a page of limits.rowsDefault, 100, is more than limits.responseBytes, 1.0 MB, and is refused; hide what nobody reads (title), or lower limits.rowsDefault',
    ],
  ]);
  expect(adviceOf('sizes', facts([one], sized(10_000)))).toEqual([]);
  const hides = resourceFacts({}, { found: { columns: [long, column('hidden', text)] } });
  expect(adviceOf('sizes', facts([hides], sized(1e6)))).toEqual([]);
});

test('charset: written columns that do not hold every character', () => {
  const columns = [
    column('title', text, { charset: 'latin1' }),
    column('old', text, { charset: 'utf8', readOnly: true }),
    column('note', text, { charset: 'utf8mb4' }),
  ];
  expect(adviceOf('charset', facts([resourceFacts({ write: 'token' }, { table: { columns } })]))).toEqual([
    [
      'resources.films.access.write',
      'is token, but these columns do not hold every character, and a record with another is refused: title (latin1)',
      'UNICODE film title',
    ],
  ]);
  expect(adviceOf('charset', facts([resourceFacts({}, { table: { columns } })]))).toEqual([]);
});

test('names that are no words are quoted, and text is no sort', () => {
  const odd = column("the owner's", int4, { nullable: false });
  const plans = planned({ sortedAsIndexed: plansByName({ [odd.name]: scan }) });
  const about = facts([resourceFacts({ plans }, { table: { columns: [odd, column('note', text)] } })]);
  expect(adviceOf('index', about)[0]?.[1]).toContain('begins with "the owner\'s":');
});
