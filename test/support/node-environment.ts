import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/**
 * A folder with packages of npm, kept in an ignored folder until their versions change. They are none of our dependencies.
 * @returns the folder, for scripts that import the packages
 */
export async function nodeEnvironment(packages: Readonly<Record<string, string>>): Promise<string> {
  const folder = resolve(import.meta.dirname, '../../.cache/node-of-clients');
  const mark = join(folder, 'made-of');
  const wanted = JSON.stringify(packages);
  // The mark is written last, so that an interrupted install is repeated.
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await promisify(execFile)('npm', ['install', ...options, ...names], { cwd: folder, timeout: 300_000 });
  writeFileSync(mark, wanted);
  return folder;
}
