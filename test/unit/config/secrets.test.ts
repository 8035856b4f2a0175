import { expect, test } from 'vitest';
import { complaints, load } from '../../support/loading.ts';

const secret = 'hunter2';
const config = (connection: string, more = '') => `
databases:
  a:
    client: mysql
    connection: ${connection}
resources: { r: { database: a, table: t } }
${more}`;

test.each([
  `mysql://app:${secret}@h`,
  `mysql://app:${secret}@h/d?${secret}=1`,
  `mysql://app:${secret}@h/d?ssl=${secret}`,
  `"mysql://app:x#${secret}@h/d"`,
  `mysql://app:%${secret}@h/d`,
  `mysql://app:/${secret}@h/d`,
  `mysql://app:1/${secret}@h`,
  `mysql://app:1?${secret}@h/d`,
  `mysql://app:x ${secret}@h/d`,
  `postgres://app:${secret}@h/d`,
  `{ host: h, database: d, port: ${secret} }`,
  `{ host: h, password: ${secret} }`,
  `{ host: h, database: d, user: [${secret}] }`,
  `{ host: h, database: d, tls: ${secret} }`,
  `{ host: h, database: d, password: ${secret}, pasword: ${secret} }`,
  `{ mysql://app:${secret}@h/d }`,
  `[mysql://app:${secret}@h/d]`,
])('%s', (connection) => {
  const found = complaints(config(connection));
  expect(found.length).toBeGreaterThan(0);
  expect(found.join('\n')).not.toContain(secret);
});

test.each([
  `"mysql://app:${secret}@h/d`,
  `"\\q${secret}"`,
  `@${secret}`,
  `a: b: ${secret}`,
  `*${secret}`,
  `[${secret}`,
  `"x" ${secret}`,
  `|${secret}`,
  `!<${secret} x`,
  `%${secret}`,
  `{${secret}: 1, ${secret}: 2`,
])('nor by the parser: %s', (connection) => {
  const found = complaints(config(connection));
  expect(found.length).toBeGreaterThan(0);
  expect(found.join('\n')).not.toContain(secret);
});

test.each([`server: { secret: ${secret} }`, `server: { secret: [${secret}] }`, `server: { secret: 12345 }`])(
  'nor a secret spelled out: %s',
  (server) => {
    const found = complaints(config('mysql://h/d', server));
    expect(found.join('\n')).toContain('server.secret');
    expect(found.join('\n')).not.toMatch(/hunter2|12345/);
  },
);

test('a secret from a variable or a file is hidden wherever it appears, through aliases too', () => {
  const yaml = config(
    'mysql://h/d',
    `
server: { host: &s "\${S}", port: *s, basePath: "\${S}", siteUrl: "\${file:s}", languages: ["\${S}"] }
tokens: [{ name: "a \${S}", sha256: "\${S}", read: ["\${S}"] }]
rateLimit: "x\${S}"
upstream: { url: "\${S}" }
`,
  );
  const found = complaints(yaml, { S: secret }, { '/s': secret });
  expect(found.length).toBeGreaterThanOrEqual(8);
  expect(found.join('\n')).not.toContain(secret);
  expect(found[0]).toBe('server.port (/my.yaml:8:28) must be a whole number from 0 to 65535, got: (hidden)');
});

test('a hash or a connection in the wrong place is hidden too', () => {
  const hash = 'ab'.repeat(32);
  const yaml = `
databases: { a: mysql://app:${secret}@h/d, mysql://app:${secret}@h/d: 1 }
resources: { r: { database: a, table: t, title: 5 } }
tokens: [${hash}, { name: a b ${hash}, sha256: ${hash}0 }, dsg_${secret}]
log: { level: ${hash}, requests: dsg_${secret} }
`;
  const found = complaints(yaml).join('\n');
  expect(found).toContain('(hidden)');
  expect(found).not.toContain(secret);
  expect(found).not.toContain(hash);
});

test('a missing variable is named, the value of a present one is not', () => {
  const yaml = config(
    `"mysql://app:\${GIVEN}\${LACKING}@h/d"`,
    `upstream: { url: "\${file:secrets/url}" }\ncors: { origins: ["\${not a name}"] }\nserver: { host: "\${constructor}" }`,
  );
  expect(complaints(yaml, { GIVEN: secret })).toEqual([
    'databases.a.connection (/my.yaml:5:5) must be filled from the environment variable LACKING, which is not set',
    'upstream.url (/my.yaml:7:13) must be filled from the file secrets/url, which cannot be read',
    `cors.origins[0] (/my.yaml:8:19) must use \${NAME} for a variable or \${file:PATH} for a file; a literal \${ is written $\${`,
    'server.host (/my.yaml:9:11) must be filled from the environment variable constructor, which is not set',
  ]);
});

test('a loaded configuration hands its secrets to later checks', () => {
  const loaded = load(config(`"mysql://\${S}@h/d"`).replace('table: t', `table: "\${S}"`), { S: secret });
  if (!loaded.ok) throw new Error('refused');
  const { hides } = loaded.positions;
  expect(hides(['databases', 'a', 'connection'])).toBe(true);
  expect(hides(['databases', 'a', 'connection', 'host'])).toBe(true);
  expect(hides(['resources', 'r', 'table'])).toBe(true);
  expect(hides(['resources', 'r', 'database'])).toBe(false);
  expect(hides(['resources', 'r', 'nowhere'])).toBe(false);
});
