/** The npm package: its content, its size, and that it runs in an empty folder, as npm would install it for a user. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { root } from '../support/docs/fences.ts';
import { programAt } from '../support/program.ts';

const run = promisify(execFile);
const work = mkdtempSync(join(tmpdir(), 'gateway-pack-'));
const copy = join(work, 'copy');
const empty = join(work, 'empty');
const packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string(), mode: z.number() })),
  }),
]);
let packageInfo: z.infer<typeof packed>[0];
let tracked: readonly string[];

// Built from the files in the repository alone, in a folder with a leftover of an earlier build.
beforeAll(async () => {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  tracked = stdout.split('\0').filter((path) => path !== '');
  for (const path of tracked) cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'dist'));
  writeFileSync(join(copy, 'dist/removed.js'), '');
  mkdirSync(empty);
  const answer = await run('npm', ['pack', '--json', '--pack-destination', work], { cwd: copy });
  [packageInfo] = packed.parse(JSON.parse(answer.stdout.slice(answer.stdout.indexOf('['))));
}, 120_000);
afterAll(() => rmSync(work, { recursive: true, force: true }), 60_000);

test('it holds the program, its configuration and the docs, and nothing else', () => {
  const page =
    /^dist\/explorer\/page\/(?:(?:(?:main|part)\.\w+\.js|(?:style|parts)\.\w+\.css|icon\.\w+\.svg|licenses\.txt)(?:\.br|\.gz)?|countries-\d+m\.\w+\.json(?:\.br|\.gz))$/;
  const all = packageInfo.files.map(({ path }) => path);
  // The names contain a hash of the content; each file has two compressed copies. Of the land of the map there are only these.
  const built = all.filter((path) => page.test(path));
  const land = built.filter((path) => /json/.test(path));
  expect(land).toHaveLength(4);
  expect(built.filter((path) => /\/main\.\w+\.js/.test(path))).toHaveLength(3);
  expect((built.length - land.length) % 3).toBe(0);
  const paths = all.filter((path) => !built.includes(path));
  const filesIn = (folder: string) =>
    tracked.filter((path) => path.startsWith(folder) && !path.startsWith('src/explorer/page/'));
  const expected = [
    ...filesIn('src/').map((path) => path.replace(/^src\/(.*)\.ts$/, 'dist/$1.js')),
    ...filesIn('config/'),
    ...filesIn('docs/').filter((path) => !path.startsWith('docs/site/')),
    ...['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'],
  ];
  expect(paths.toSorted()).toEqual(expected.toSorted());
});

test('it is small, and its program may be run', () => {
  expect(packageInfo.size).toBeLessThan(3_000_000);
  expect(packageInfo.files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ path }) => path)).toEqual([
    'dist/main.js',
  ]);
});

const tarball = () => join(work, packageInfo.filename);

test('npm exec runs it in an empty folder', { timeout: 300_000 }, async () => {
  const args = ['exec', '--yes', `--package=${tarball()}`, '--', 'datastore-gateway', 'version'];
  const { stdout } = await run('npm', args, { cwd: empty });
  expect(stdout).toMatch(/^datastore-gateway \d+\.\d+\.\d+ \(Node\.js /m);
});

/** Installs the packed package in a new folder. Throws on a warning of npm. */
async function installed(name: string, ...options: readonly string[]) {
  const folder = join(work, name);
  mkdirSync(folder);
  const args = ['install', '--no-audit', '--no-fund', ...options, tarball()];
  const { stderr } = await run('npm', args, { cwd: folder });
  expect(stderr).toBe('');
  const program = programAt(join(folder, 'node_modules/datastore-gateway/dist/main.js'), folder);
  return { program, bytes: bytesOf(join(folder, 'node_modules')) };
}

const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

test('npm installs it without a warning, and the demo serves', { timeout: 300_000 }, async () => {
  const { program } = await installed('whole');
  const serving = await program.serve(['serve', '--port', '0']);
  if ('code' in serving) throw new Error(serving.stderr);
  expect((await fetch(`${serving.url}/api/action/datastore_search?resource_id=countries`)).status).toBe(200);
  const page = await fetch(`${serving.url}/`, { headers: { accept: 'text/html' } });
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect((await fetch(`${serving.url}${script}`)).headers.get('content-type')).toBe('text/javascript;charset=utf-8');
  expect((await serving.stop()).code).toBe(0);
});

test("without the demo's engine it is half the size, and says what to install", { timeout: 300_000 }, async () => {
  const { program, bytes } = await installed('small', '--omit=optional');
  expect(bytes).toBeLessThan(40_000_000);
  const { code, stderr } = await program.run(['serve', '--port', '0']);
  expect(code).toBe(1);
  expect(stderr).toContain(
    'need the package @electric-sql/pglite, which this installation has left out. Install it with',
  );
});
