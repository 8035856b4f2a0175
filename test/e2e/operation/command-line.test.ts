/** The commands as separate processes: their exit codes and their exact output. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry } from '../../support/gateway.ts';
import { type Ended, openProgram, type Program, type Running, root } from '../../support/program.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const secret = 'hunter2';
const [engine] = anyEngine();
let program: Program;
let folder: string;
let fresh: FreshDatabase;
beforeAll(async () => {
  if (engine === undefined) throw new Error('no engine');
  folder = mkdtempSync(join(tmpdir(), 'gateway-commands-'));
  program = openProgram();
  fresh = await freshDatabase(engine);
  await fresh.exec(
    'CREATE TABLE film (id integer PRIMARY KEY, title varchar(20)); CREATE TABLE log (line varchar(20));',
  );
});
afterAll(async () => {
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
  await fresh?.drop();
});

/** Writes a configuration. `@DB` is replaced by this test's database, without changing line numbers. */
function file(yaml: string, name = 'gateway'): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, yaml.replace('@DB', JSON.stringify(entry(fresh))));
  return path;
}
const good = `databases: { db: @DB }
resources: { films: { database: db, table: film, access: { read: public } } }
server: { port: 0 }
admin: { port: 0 }
`;
/** A configuration with a second database that is down: nothing listens on port 1. */
const away = `databases: { db: @DB, away: { client: mysql, connection: "mysql://app:\${PASSWORD}@127.0.0.1:1/erp" } }
resources:
  films: { database: db, table: film, access: { read: public } }
  gone: { database: away, table: film, access: { read: public } }
server: { port: 0 }
admin: { port: 0 }
`;
const bad = `databases: { db: @DB }
resources:
  films:
    database: db
    table: flim
  log:
    database: db
    table: log
    key: [lime]
    columns:
      LINE: { hidden: true }
`;
const complaints = (path: string) => [
  `resources.films.table (${path}:5:5) must name a table or view of database "db" (did you mean "film"?), got: "flim"`,
  `resources.log.columns.LINE (${path}:11:7) must name a column of "log" (there is "line", which differs by case), got: "LINE"`,
  `resources.log.key (${path}:9:5) must name a column of "log" (did you mean "line"?), got: "lime"`,
];
const lines = (text: string) => text.trimEnd().split('\n');
const running = (it: Ended | Running): Running => {
  if ('url' in it) return it;
  throw new Error(it.stderr);
};

test('check: a good file, one with a warning and one with every error at once', async () => {
  const [well, warned, wrong] = [
    file(good, 'good'),
    file(good.replace('film,', 'log,'), 'warned'),
    file(bad, 'bad'),
  ] as const;
  const [one, two, three] = await program.runAll([well, warned, wrong].map((path) => ['check', path]));
  expect(lines(one?.stdout ?? '')).toEqual([
    expect.stringMatching(/^database db: \S/),
    expect.stringMatching(/^warning: databases\.db \(.*good\.yaml:1:14\) has 1 table that is not in the file: log$/),
    `warning: resources (${well}:2:1) should help people to use public tables: "films" lack licence, publisher, description (catalog, datasets, description)`,
    '1 resource can be served',
  ]);
  expect([one?.code, one?.stderr]).toEqual([0, '']);
  expect([two?.code, lines(two?.stdout ?? '')[1]]).toEqual([
    0,
    `warning: resources.films.table (${warned}:2:37) has no key: its pages have no total order once it is large; name one with \`key\``,
  ]);
  expect(lines(three?.stdout ?? '').slice(1)).toEqual([
    ...complaints(wrong).map((line) => `error: ${line}`),
    `warning: databases.db (${wrong}:1:14) has 1 table that is not in the file: film`,
    '3 errors',
  ]);
  expect(three?.code).toBe(2);
});

test('check: a database that cannot be reached is an error that names the cause, and no secret', async () => {
  const path = file(away);
  const { code, stdout, stderr } = await program.run(['check', path], { PASSWORD: secret });
  expect(lines(stdout).slice(1)).toEqual([
    expect.stringMatching(
      /^error: databases\.away \(.*gateway\.yaml:1:\d+\) cannot be used: nothing listens on 127\.0\.0\.1:1 \(connection refused\); its resources are not checked$/,
    ),
    expect.stringMatching(/^warning: databases\.db .* not in the file: log$/),
    expect.stringMatching(/^warning: resources .*: "films", "gone" lack licence, publisher, description /),
    '1 error',
  ]);
  expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining(secret)]);
});

test('a file with mistakes, or a missing one, is refused before any database is opened', async () => {
  const path = file(`${away}tokens: [{ name: x, sha256: "${secret}" }]\nlimits: { rowMax: 5 }\n`);
  const nowhere = join(folder, 'nowhere.yaml');
  const commands = ['check', 'serve'].flatMap((command) => [
    [command, path],
    [command, nowhere],
  ]);
  const [checked, unread, served, unserved] = await program.runAll(commands);
  for (const ended of [checked, served]) {
    expect(lines(ended?.stderr ?? '')).toEqual([
      expect.stringMatching(
        /^databases\.away\.connection \(.*gateway\.yaml:1:\d+\) must be filled from the environment variable PASSWORD, which is not set$/,
      ),
      `tokens[0].sha256 (${path}:7:21) must be 64 hexadecimal digits, as the command token prints them, got: (hidden)`,
      `limits.rowMax (${path}:8:11) is not a setting; did you mean "rowsMax"?`,
    ]);
    expect([ended?.code, ended?.stdout]).toEqual([2, '']);
  }
  for (const ended of [unread, unserved])
    expect(ended).toEqual({ code: 2, stdout: '', stderr: `${nowhere} cannot be read: there is no such file\n` });
});

test('serve: a database that disagrees ends the start with every complaint', async () => {
  const path = file(bad);
  expect(await program.serve(['serve', path])).toEqual({
    code: 2,
    stdout: '',
    stderr: `${complaints(path).join('\n')}\n`,
  });
});

test('serve: an unreachable database does not end it: its resources answer 503, the others answer', async () => {
  const gateway = running(await program.serve(['serve', file(away)], { PASSWORD: secret }));
  const status = async (id: string) =>
    (await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=${id}`)).status;
  expect([await status('films'), await status('gone')]).toEqual([200, 503]);
  const { code, stdout, stderr } = await gateway.stop();
  expect(code).toBe(0);
  expect(stderr).toContain(
    '"database":"away","why":"nothing listens on 127.0.0.1:1 (connection refused)","cause":"Error ECONNREFUSED',
  );
  expect(stdout + stderr).not.toContain(secret);
});

test.each([
  { name: 'server', setting: '--port or server.port', args: (port: number) => [file(good), '--port', String(port)] },
  {
    name: 'admin',
    setting: 'admin.port',
    args: (port: number) => [file(good.replace('admin: { port: 0 }', `admin: { port: ${port} }`))],
  },
  // An embedded database cannot be used by several processes.
  ...(engine?.client === 'pglite'
    ? []
    : [
        {
          name: 'one of several workers',
          setting: '--port or server.port',
          args: (port: number) => [file(good.replace('{ port: 0 }', `{ port: ${port}, workers: 2 }`))],
        },
      ]),
])('serve: a port that is taken is named ($name), and nothing is left running', async ({ setting, args }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => other.on('listening', listening));
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const ended = await program.serve(['serve', ...args(port)]);
  other.close();
  const says = `datastore-gateway: another program listens on port ${port} of 127.0.0.1: choose another port with ${setting}\n`;
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
});

test('serve: an address that is not of this machine is refused', async () => {
  // 192.0.2.1 is in TEST-NET-1 (RFC 5737), so no machine has it.
  const path = file(good.replace('{ port: 0 }', '{ port: 0, host: 192.0.2.1 }'));
  const says = 'datastore-gateway: 192.0.2.1 is no address of this machine: choose another with server.host\n';
  expect(await program.serve(['serve', path])).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
});

test.each([
  ['no tokens', ''],
  ['tokens', `  - { name: old, sha256: "${'1'.repeat(64)}", read: [films] }\n`],
])('a configuration with %s takes what `token create` prints, and the token is known', async (_, items) => {
  const [created] = await program.runAll([['token', 'create', 'etl']]);
  const [token = '', item = '', ...others] = lines(created?.stdout ?? '');
  expect([created?.code, others]).toEqual([0, []]);
  const path = file(`${good.replace('public', 'token')}tokens:\n${item}\n${items}`);
  const gateway = running(await program.serve(['serve', path]));
  const answered = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=films`, {
    headers: { Authorization: token },
  });
  await gateway.stop();
  expect(answered.status).toBe(200);
});

test('a command line gets its answer, or the right usage', async () => {
  const overview = 'Use: node ';
  const wrong: readonly (readonly [args: readonly string[], says: string, shows: string])[] = [
    [[], 'a command is missing', 'token create NAME  '],
    [['sevre', 'x.yaml'], 'there is no command "sevre" (did you mean "serve"?)', 'token create NAME  '],
    [['a\x1b[31mb\x9b'], 'there is no command "a\\u{1b}[31mb\\u{9b}"', 'token create NAME  '],
    [['help', 'chekc'], 'there is no command "chekc" (did you mean "check"?)', 'token create NAME  '],
    [['check'], 'check takes one FILE', 'check FILE\n'],
    [['check', 'x.yaml', 'y.yaml'], 'check takes one FILE', 'check FILE\n'],
    [['serve', 'x.yaml', '--config', 'y.yaml'], 'serve takes one FILE or one URL', 'serve [FILE | URL] [--port N]\n'],
    [['token', 'create'], 'token create takes one NAME', 'token create NAME\n'],
    [['token', 'etl'], 'token create takes one NAME', 'token create NAME\n'],
    [
      ['token', 'create', 'a b'],
      'The name of a token must be 1 to 64 letters, digits, _ . or -',
      'token create NAME\n',
    ],
    [
      ['serve', 'x.yaml', '--port', '70000'],
      '--port must be a number from 0 to 65535, got: 70000',
      'serve [FILE | URL]',
    ],
    [['serve', 'x.yaml', '--port', ''], '--port must be a number from 0 to 65535, got: ', 'serve [FILE | URL]'],
    [['serve', '--prot', '1'], "Unknown option '--prot'", 'serve [FILE | URL]'],
    [['check', 'x.yaml', '--port', '1'], "Unknown option '--port'", 'check FILE\n'],
  ];
  const refused = await program.runAll(wrong.map(([args]) => args));
  for (const [nth, [args, says, shows]] of wrong.entries()) {
    const { code, stdout, stderr } = refused[nth] ?? { code: null, stdout: '', stderr: '' };
    expect([args, code, stdout, stderr.split('\n\n')[0]]).toEqual([args, 2, '', says]);
    expect(stderr).toMatch(new RegExp(`\\n\\n${overview}\\S*main\\.js `));
    expect(stderr).toContain(shows);
  }
});

test('help, help of a command and the version are said', async () => {
  const commandLines = [
    ['help'],
    ['--help'],
    ['-h'],
    ['help', 'serve'],
    ['serve', '--help'],
    ['version'],
    ['serve', '--version'],
  ];
  const [help, long, short, serve, serveHelp, version, longVersion] = await program.runAll(commandLines);
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('  check FILE  ') });
  expect([long, short]).toEqual([help, help]);
  expect(serve).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('  --port N  ') });
  expect(serveHelp).toEqual(serve);
  const { version: ours }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(version).toEqual({ code: 0, stderr: '', stdout: `datastore-gateway ${ours} (Node.js ${process.version})\n` });
  expect(longVersion).toEqual(version);
});
