/** The options of `check` on the command line: its output and its exit codes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry } from '../../support/gateway.ts';
import { openProgram, type Program } from '../../support/program.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const [engine] = anyEngine();
let program: Program;
let folder: string;
let fresh: FreshDatabase;
beforeAll(async () => {
  if (engine === undefined) throw new Error('no engine');
  folder = mkdtempSync(join(tmpdir(), 'gateway-check-'));
  program = openProgram();
  fresh = await freshDatabase(engine);
  await fresh.exec('CREATE TABLE film (id integer PRIMARY KEY); CREATE TABLE log (line varchar(20));');
});
afterAll(async () => {
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
  await fresh?.drop();
});

function file(resources: object, more: object = {}, name = 'gateway.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ databases: { db: entry(fresh) }, resources, ...more }, null, 1));
  return path;
}
const film = { film: { database: 'db', table: 'film' } };
const log = { log: { database: 'db', table: 'log' } };

test('--list and --advise: lines, and an exit code that they do not change', async () => {
  const { code, stdout, stderr } = await program.run([
    'check',
    '--list',
    '--advise',
    '--only',
    'key',
    file({ ...film, ...log }),
  ]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^resource film: table db\.(public\.)?film, read token, write none, key id$/m);
  expect(stdout).toMatch(
    /^advice: resources\.log\.table \(.*gateway\.yaml:\d+:\d+\) has no key: .*: ALTER TABLE .*;$/m,
  );
});

test('--json: one document, also for a file that cannot be served, and for one that is no configuration', async () => {
  const paths = [
    file({ ...film, ...log }),
    file({ film: { database: 'db', table: 'flim' } }, {}, 'no-table.yaml'),
    file(film, { limits: { rowMax: 5 } }, 'no-setting.yaml'),
  ];
  const ended = await program.runAll(paths.map((path) => ['check', path, '--json', '--advise', '--only', 'key']));
  expect(ended.map(({ stderr }) => stderr)).toEqual(['', '', '']);
  expect(ended.map(({ code, stdout }) => [code, JSON.parse(stdout)])).toMatchObject([
    [0, { servable: true, errors: [], advice: [{ rule: 'key', path: 'resources.log.table' }] }],
    [2, { servable: false, errors: [{ path: 'resources.film.table' }], advice: [] }],
    [2, { servable: false, errors: [{ path: 'limits.rowMax' }], advice: null }],
  ]);
});

test('--json with a wrong command line is a document, too', async () => {
  for (const args of [
    ['--json', '--fast'],
    ['--json'],
    ['f.yaml', '--json', '--only', 'key'],
    ['mysql://a:secret@b/c', '--json'],
  ]) {
    const { code, stdout, stderr } = await program.run(['check', ...args]);
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      servable: false,
      errors: [{ path: '', where: null, text: expect.any(String) }],
    });
    expect(stdout).not.toContain('secret');
  }
  const { stdout, stderr } = await program.run(['check', '--fast']);
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('Use: ')]);
});
