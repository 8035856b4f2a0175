import { expect, test } from 'vitest';
import { Claim } from '../../../src/model/claim.ts';
import { complaints, settings } from '../../support/loading.ts';

const issuer = 'https://login.example.org/realms/data';
/** A file with an issuer that has these further settings, and these grants. */
const yaml = (more = '', grants = '', end = '') => `databases: { db: { client: pglite } }
resources:
  lines: { database: db, table: line, access: { read: token, write: token } }
  stops: { database: db, table: stop, access: { read: public } }
auth:
  jwt:
    - { name: staff, issuer: "${issuer}", audience: datastore${more === '' ? '' : `, ${more}`}, grants: [${grants}] }
${end}`;
const says = (text: string) => complaints(text).map((line) => line.replace(/ \(\/my\.yaml:\d+:\d+\)/, ''));

test('an issuer has defaults, and grants without conditions', () => {
  expect(settings(yaml('', '{ read: [lines] }')).auth.jwt).toEqual([
    {
      ...{ name: 'staff', issuer, audience: 'datastore', jwksUrl: null, algorithms: ['RS256', 'ES256'] },
      ...{ type: null, issuedAfter: null, forward: false },
      grants: [{ when: new Map(), read: new Set(['lines']), write: new Set(), where: new Map() }],
    },
  ]);
});

test('an issuer has what the file says', () => {
  const all = `jwksUrl: "http://127.0.0.1:8080/keys", algorithms: [PS512, EdDSA], type: at+jwt, forward: true,
      issuedAfter: "2026-11-28T12:00:00+01:00"`;
  const filter = `where: { lines: { id: { gt: 9007199254740993 }, tenant: "\${claim.org.id}" } }`;
  const grant = `{ when: { scope: write, org.name: "$\{ORG}" }, read: ["*"], write: [lines], ${filter} }`;
  const [found] = settings(yaml(all, grant), { ORG: 'bern' }).auth.jwt;
  expect(found).toMatchObject({
    ...{ jwksUrl: 'http://127.0.0.1:8080/keys', algorithms: ['PS512', 'EdDSA'], type: 'at+jwt', forward: true },
    issuedAfter: Date.UTC(2026, 10, 28, 11),
  });
  const [given] = found?.grants ?? [];
  expect(given?.when).toEqual(
    new Map([
      ['scope', 'write'],
      ['org.name', 'bern'],
    ]),
  );
  expect([given?.read, given?.write]).toEqual(['all', new Set(['lines'])]);
  const where = Object(given?.where.get('lines'));
  expect([String(where.id.gt), where.tenant]).toEqual(['9007199254740993', new Claim(['org', 'id'])]);
});

test('the filters of grants are those of their resource, each with its place', () => {
  const token = `tokens: [{ name: bern, sha256: ${'ab'.repeat(32)}, where: { lines: { region: north } } }]`;
  const grants = '{ read: ["*"] }, { read: [lines], where: { lines: { region: south } } }';
  expect(settings(yaml('', grants, token)).resources.get('lines')?.callerFilters).toEqual([
    { callers: 'token bern', path: ['tokens', 0, 'where', 'lines'], where: { region: 'north' } },
    { callers: 'staff', path: ['auth', 'jwt', 0, 'grants', 1, 'where', 'lines'], where: { region: 'south' } },
  ]);
});

const at = 'auth.jwt[0]';
const grantAt = `${at}.grants[0]`;
test.each([
  [
    'algorithms: [HS256]',
    '',
    `${at}.algorithms[0] must be RS256 or RS384 or RS512 or PS256 or PS384 or PS512 or ES256 or ES384 or ES512 or EdDSA, got: "HS256"`,
  ],
  ['algorithms: [none]', '', expect.stringContaining(`${at}.algorithms[0] must be RS256`)],
  ['algorithms: []', '', expect.stringContaining(`${at}.algorithms must be at least one algorithm`)],
  [
    'jwksUrl: "http://login.example.org/keys"',
    '',
    expect.stringContaining(`${at}.jwksUrl must be an https URL (http is for this computer only)`),
  ],
  ['jwksUrl: "http://127.0.0.1.example.org/keys"', '', expect.stringContaining(`${at}.jwksUrl must be an https URL`)],
  ['jwksUrl: "http://localhost@example.org/keys"', '', expect.stringContaining(`${at}.jwksUrl must be an https URL`)],
  ['jwksUrl: "https://[::"', '', expect.stringContaining(`${at}.jwksUrl must be an https URL`)],
  ['jwksUrl: 7', '', `${at}.jwksUrl must be an https URL (http is for this computer only), got: 7`],
  ['jwksUrl: "file:///keys"', '', expect.stringContaining(`${at}.jwksUrl must be an https URL`)],
  [
    'issuedAfter: yesterday',
    '',
    `${at}.issuedAfter must be a point in time such as 2026-11-28T12:00:00Z, got: "yesterday"`,
  ],
  ['secret: x', '', expect.stringContaining(`${at}.secret is not a setting`)],
  [
    '',
    '{ read: [line] }',
    `${grantAt}.read[0] must be the id of a resource or "*" (did you mean "lines"?), got: "line"`,
  ],
  [
    '',
    '{ write: [line] }',
    `${grantAt}.write[0] must be the id of a resource or "*" (did you mean "lines"?), got: "line"`,
  ],
  [
    '',
    '{ read: ["*"], where: { line: { id: 1 } } }',
    `${grantAt}.where.line must be the id of a resource (did you mean "lines"?), got: "line"`,
  ],
  [
    '',
    '{ read: ["*"], where: { stops: { id: 1 } } }',
    `${grantAt}.where.stops must not be given, because access.read is public: without the token one sees more`,
  ],
  [
    '',
    '{ read: [stops], where: { lines: { id: 1 } } }',
    `${grantAt}.where.lines must be for a resource that the grant names in read or write`,
  ],
  [
    '',
    '{ read: [lines], where: { lines: {} } }',
    expect.stringContaining(`${grantAt}.where.lines must be a filter that leaves something out`),
  ],
  [
    '',
    `{ read: [lines], where: { lines: { name: { like: "\${claim.a}" } } } }`,
    expect.stringContaining(`${grantAt}.where.lines.name.like must not be a claim`),
  ],
  [
    '',
    `{ when: { org: "\${claim.org}" }, read: [lines] }`,
    expect.stringContaining(`${grantAt}.when.org must have \${claim.org} as a whole value, and in a filter (where)`),
  ],
  ['', '{ when: { level: 3 }, read: [lines] }', `${grantAt}.when.level must be a text, got: 3`],
])('refused: %s %s', (more, grants, text) => {
  expect(says(yaml(more, grants))).toEqual([text]);
});

test('an issuer is given once, by one name, with an audience', () => {
  const item = `{ name: staff, issuer: "${issuer}", audience: datastore }`;
  const list = (...items: readonly string[]) =>
    yaml().replace(/ {4}- .*/, items.map((one) => `    - ${one}`).join('\n'));
  expect(says(list(item, item))).toEqual([
    'auth.jwt[1].name must be unique, but is that of auth.jwt[0].name too, got: "staff"',
    `auth.jwt[1].issuer must be unique, but is that of auth.jwt[0].issuer too, got: "${issuer}"`,
  ]);
  expect(says(list(`{ name: staff, issuer: "${issuer}" }`))).toEqual([
    expect.stringContaining('auth.jwt[0].audience must be'),
  ]);
  expect(says(list(item.replace('staff', 'staff/bern')))).toEqual([
    expect.stringContaining('auth.jwt[0].name must be'),
  ]);
});

test('a filter of a grant keeps the resource out of the caches of clients', () => {
  const grant = '{ read: [lines], where: { lines: { region: north } } }';
  const end = 'cache: { maxAge: 1m }';
  expect(says(yaml('', grant, end))).toEqual([
    'cache.maxAge must be 0 for the resource lines, because its rows differ from caller to caller',
  ]);
  expect(says(yaml('', '{ read: [lines] }', end))).toEqual([]);
});
