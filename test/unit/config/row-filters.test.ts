import { expect, test } from 'vitest';
import { formatComplaint } from '../../../src/config/complaints.ts';
import { Claim } from '../../../src/model/claim.ts';
import { toJson } from '../../../src/values/json.ts';
import { load } from '../../support/loading.ts';

const hash = 'ab'.repeat(32);
/** A resource `lines` with this filter, and a token with these settings. */
const yaml = (where: string, access = 'read: token', token = '', cache = '') => `databases: { db: { client: pglite } }
resources:
  lines: { database: db, table: line, ${where === '' ? '' : `where: ${where}, `}access: { ${access} }${cache} }
tokens: [{ name: bern, sha256: ${hash}${token} }]
`;
function complaintsOf(text: string): readonly string[] {
  const loaded = load(text, { TENANT: `\${claim.tenant}` });
  return loaded.ok
    ? []
    : loaded.complaints.map(formatComplaint).map((line) => line.replace(/ \(\/my\.yaml:\d+:\d+\)/, ''));
}
function filterOf(where: string, environment = {}) {
  const loaded = load(yaml(where), environment);
  if (!loaded.ok) throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
  return loaded.settings.resources.get('lines')?.where;
}

test('a claim stands where the file has one, and nowhere else', () => {
  expect(filterOf(`{ tenant: "\${claim.org.id}" }`)).toEqual({ tenant: new Claim(['org', 'id']) });
  expect(filterOf(`{ tenant: { in: "\${claim.tenants}" } }`)).toEqual({ tenant: { in: new Claim(['tenants']) } });
  expect(filterOf(`[{ tenant: "$\${claim.tenant}" }]`)).toEqual([{ tenant: `\${claim.tenant}` }]);
  // A value from outside the file stays a text, whatever it looks like.
  expect(filterOf(`{ tenant: "\${TENANT}" }`, { TENANT: `\${claim.tenant}` })).toEqual({ tenant: `\${claim.tenant}` });
});

test('a number in a filter or a claim keeps all of its digits', () => {
  const loaded = load(yaml('{ id: 9007199254740993 }', 'read: token', ', claims: { n: 0.10000000000000000001 }'));
  if (!loaded.ok) throw new Error('refused');
  const { resources, tokens } = loaded.settings;
  expect(String(Object(resources.get('lines')?.where).id)).toBe('9007199254740993');
  expect(toJson(tokens[0]?.claims ?? {})).toBe('{"n":0.10000000000000000001}');
});

test.each([
  [
    '{}',
    'resources.lines.where must be a filter that leaves something out, such as { region: north }, got: an empty mapping',
  ],
  [
    '[]',
    'resources.lines.where must be a filter that leaves something out, such as { region: north }, got: an empty list',
  ],
  ['north', 'resources.lines.where must be a filter such as { region: north }, got: "north"'],
  [
    `{ name: "x\${claim.a}" }`,
    `resources.lines.where.name must have \${claim.a} as a whole value, and in a filter (where)`,
  ],
  ...[`{ name: { like: "\${claim.a}" } }`, `{ name: { "null": "\${claim.a}" } }`, `{ name: ["\${claim.a}"] }`].map(
    (where) => [
      where,
      expect.stringMatching(
        /^resources\.lines\.where\.name\S+ must not be a claim: one stands alone as the value of a column, or of eq, ne, gt, gte, lt, lte, in, nin$/,
      ),
    ],
  ),
])('the filter %s is refused', (where, says) => {
  expect(complaintsOf(yaml(where))).toEqual([says]);
});

test.each([
  [
    'a claim on a public resource',
    yaml(`{ tenant: "\${claim.tenant}" }`, 'read: public'),
    'resources.lines.where.tenant must not be a claim where access.read is public: nobody has claims there',
  ],
  [
    "a token's filter of a public resource",
    yaml('', 'read: public', ', where: { lines: { region: north } }'),
    'tokens[0].where.lines must not be given, because access.read is public: without the token one sees more',
  ],
  [
    "a token's filter of a resource that is not there",
    yaml('', 'read: token', ', where: { line: { region: north } }'),
    'tokens[0].where.line must be the id of a resource (did you mean "lines"?), got: "line"',
  ],
  [
    'caches of clients, with claims',
    yaml(`{ tenant: "\${claim.tenant}" }`, 'read: token', '', ', cache: { maxAge: 10s }'),
    'resources.lines.cache.maxAge must be 0 for the resource lines, because its rows differ from caller to caller',
  ],
  [
    "caches of clients, with a token's filter",
    `${yaml('', 'read: token', ', where: { lines: { region: north } }')}cache: { maxAge: 1m }\n`,
    'cache.maxAge must be 0 for the resource lines, because its rows differ from caller to caller',
  ],
])('refused: %s', (_, text, says) => {
  expect(complaintsOf(text)).toEqual([says]);
});

test('a filter that is the same for everybody may be on a public resource, and in the caches of clients', () => {
  expect(complaintsOf(yaml('{ status: published }', 'read: public', '', ', cache: { maxAge: 10s }'))).toEqual([]);
});
