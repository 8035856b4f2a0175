import { expect, test } from 'vitest';
import { complaints } from '../../support/loading.ts';

const hash = (c: string) => c.repeat(64);
const base = (resources: string, rest = '') => `
databases: { my: { client: mysql, connection: mysql://h/d }, pg: { client: postgres, connection: postgres://h/d } }
resources:
${resources}
${rest}`;
const complaintsOf = (yaml: string) => complaints(yaml).map((c) => c.replace(/ \(\/my\.yaml:\d+:\d+\)/, ''));

test('ids and aliases are one set of names, with their case', () => {
  const yaml = base(
    `  a: { database: my, table: t, aliases: [x, b, A, a] }\n  b: { database: my, table: t, aliases: [x, X] }`,
  );
  expect(complaintsOf(yaml)).toEqual([
    'resources.a.aliases[1] must be unique, but is that of resources.b too, got: "b"',
    'resources.a.aliases[3] must be unique, but is that of resources.a too, got: "a"',
    'resources.b.aliases[0] must be unique, but is that of resources.a.aliases[0] too, got: "x"',
  ]);
});

test('a schema is for postgres only', () => {
  const yaml = base('  a: { database: my, table: t, schema: s }\n  b: { database: pg, table: t, schema: s }');
  expect(complaintsOf(yaml)).toEqual([
    'resources.a.schema must not be given: what mysql calls a schema is the database',
  ]);
});

test('a shadow compares with an upstream, for a share of the searches', () => {
  const shadowed = (shadow: string, rest = 'upstream: { url: http://h }') =>
    complaintsOf(base(`  a: { database: my, table: t, shadow: ${shadow} }`, rest));
  expect(shadowed('{ resource: r, sample: 1 }')).toEqual([]);
  expect(shadowed('{}')).toEqual([]);
  expect(shadowed('{ sample: "0.5" }')).toEqual([]);
  expect(shadowed('null', '')).toEqual([]);
  expect(shadowed('{ resource: r }', '')).toEqual([
    'resources.a.shadow must not be given without `upstream.url`, whose answers it compares',
  ]);
  for (const sample of ['0', '1.01', '-0.1', '"0"', '.nan', '"1e-3"', '"much"'])
    expect(shadowed(`{ sample: ${sample} }`)).toEqual([
      expect.stringContaining('resources.a.shadow.sample must be a number above 0, at most 1, such as 0.01, got: '),
    ]);
});

test('a login for the log is for a feed that reads it', () => {
  const pg = (more: string) => `databases: { pg: { client: postgres, connection: postgres://h/d, ${more} } }
resources: { a: { database: pg, table: t } }`;
  expect(complaintsOf(pg('feed: none, feedConnection: postgres://h/d'))).toEqual([
    'databases.pg.feedConnection must not be given with feed: none, which reads no log',
  ]);
  expect(complaintsOf(pg('feed: auto, feedConnection: postgres://h/d'))).toEqual([]);
});

test('two columns do not share a name on the wire', () => {
  const yaml = base(
    '  a: { database: my, table: t, columns: { p: { as: x }, q: { as: x }, x: { hidden: true }, y: {}, z: { as: y } } }',
  );
  expect(complaintsOf(yaml)).toEqual([
    'resources.a.columns.q.as must be unique, but is that of resources.a.columns.p.as too, got: "x"',
    'resources.a.columns.z.as must be unique, but is that of resources.a.columns.y too, got: "y"',
  ]);
});

test.each(['""', '" x"', '"x "', '_x', '_id', "'a\"b'", '"a\\nb"', '"a\\u0007b"', '5'])(
  '%s is no name on the wire',
  (as) => {
    expect(complaintsOf(base(`  a: { database: my, table: t, columns: { p: { as: ${as} } } }`))).toEqual([
      expect.stringContaining('resources.a.columns.p.as must be a name without control characters'),
    ]);
  },
);

test.each(['Film title', 'a_b', 'größe', 'a.b', '%', 'x'])('%s is one', (as) => {
  expect(complaintsOf(base(`  a: { database: my, table: t, columns: { p: { as: "${as}" } } }`))).toEqual([]);
});

test('a hidden column is not searched, and names in a list are not empty or double', () => {
  const yaml =
    base(`  a: { database: my, table: t, columns: { p: { hidden: true } }, search: { columns: [p, q, q] }, key: [] }
  b: { database: my, table: t, id: "", key: [k, k] }`);
  expect(complaintsOf(yaml)).toEqual([
    'resources.a.search.columns[0] must be a column that is not hidden, got: "p"',
    'resources.a.search.columns[2] must be unique, but is that of resources.a.search.columns[1] too, got: "q"',
    'resources.a.key must be at least one column, got: an empty list',
    'resources.b.id must be the name of a column, got: ""',
    'resources.b.key[1] must be unique, but is that of resources.b.key[0] too, got: "k"',
  ]);
});

test('rights name resources that exist', () => {
  const yaml = base(
    '  films: { database: my, table: t, aliases: [movies], invalidates: [films, flims] }',
    `tokens:
  - { name: a, sha256: ${hash('a')}, read: ["*", flims], write: [movies] }
  - { name: a, sha256: ${hash('a')} }
  - { name: b, sha256: ${hash('g')} }`,
  );
  expect(complaintsOf(yaml)).toEqual([
    'resources.films.invalidates[1] must be the id of a resource (did you mean "films"?), got: "flims"',
    'tokens[0].read[1] must be the id of a resource or "*" (did you mean "films"?), got: "flims"',
    'tokens[0].write[0] must be the id of a resource or "*", got: "movies"',
    'tokens[1].name must be unique, but is that of tokens[0].name too, got: "a"',
    'tokens[1].sha256 must be unique, but is that of tokens[0].sha256 too, got: (hidden)',
    'tokens[2].sha256 must be 64 hexadecimal digits, as the command token prints them, got: (hidden)',
  ]);
});

test('a reference names a resource that exists, by its id, and a column', () => {
  const yaml = base(`  films: { database: my, table: t, aliases: [movies] }
  visits:
    database: pg
    table: t
    columns:
      a: { references: { resource: films, column: id } }
      b: { references: { resource: flims, column: id } }
      c: { references: { resource: movies, column: id } }
      d: { references: { resource: films } }
      e: { references: films.id }`);
  expect(complaints(yaml)).toEqual([
    'resources.visits.columns.b.references.resource (/my.yaml:10:26) must be the id of a resource (did you mean "films"?), got: "flims"',
    'resources.visits.columns.c.references.resource (/my.yaml:11:26) must be the id of a resource, got: "movies"',
    'resources.visits.columns.d.references.column (/my.yaml:12:12) must be the name of a column, got: nothing',
    'resources.visits.columns.e.references (/my.yaml:13:12) must be a mapping such as { resource: countries, column: code }, got: "films.id"',
  ]);
});

test('names that people see are not blank and hold no control characters', () => {
  const found = complaintsOf(
    base('  "": { database: my, table: t }\n  " a": { database: my, table: t, aliases: ["x\\ty"] }'),
  );
  expect(found).toHaveLength(3);
  expect(found[0]).toContain('resources."" must be named by text without control characters');
});
