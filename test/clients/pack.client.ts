/** The npm package: its content, its size, and that it runs in an empty folder, as npm would install it for a user. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    unpackedSize: z.number(),
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
    ...filesIn('docs/').filter((path) => !path.startsWith('docs/pictures/')),
    ...['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'],
  ];
  expect(paths.toSorted()).toEqual(expected.toSorted());
});

test('it is small, and its program may be run', () => {
  expect(packageInfo.unpackedSize).toBeLessThan(3_000_000);
  expect(packageInfo.files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ path }) => path)).toEqual([
    'dist/main.js',
  ]);
});

test('npm exec runs it in an empty folder, and the demo serves', { timeout: 300_000 }, async () => {
  const tarball = join(work, packageInfo.filename);
  const { stdout } = await run('npm', ['exec', '--yes', `--package=${tarball}`, '--', 'datastore-gateway', 'version'], {
    cwd: empty,
  });
  expect(stdout).toMatch(/^datastore-gateway \d+\.\d+\.\d+ \(Node\.js /m);
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: empty });
  const installed = programAt(join(empty, 'node_modules/datastore-gateway/dist/main.js'), empty);
  const serving = await installed.serve(['serve', '--port', '0']);
  if ('code' in serving) throw new Error(serving.stderr);
  expect((await fetch(`${serving.url}/api/action/datastore_search?resource_id=countries`)).status).toBe(200);
  const page = await fetch(`${serving.url}/`, { headers: { accept: 'text/html' } });
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect((await fetch(`${serving.url}${script}`)).headers.get('content-type')).toBe('text/javascript;charset=utf-8');
  expect((await serving.stop()).code).toBe(0);
});
