import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/**
 * A Python environment with exactly the packages of a requirements file, kept in an ignored folder until they change.
 * @param name the name of the folder in `.cache`
 * @param more additional options of pip
 * @returns its folder of programs
 */
export async function pythonEnvironment(
  python: string,
  requirements: string,
  name: string,
  more: readonly string[] = [],
): Promise<string> {
  const { stdout: version } = await run(python, ['-VV']);
  const fingerprint = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex');
  const folder = join(root, '.cache', name);
  const mark = join(folder, 'made-of');
  const bin = join(folder, 'bin');
  // The mark is written last, so that an interrupted install is repeated.
  if (existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint) return bin;
  console.log(`\nPython's packages of the clients: pip install -r ${relative(root, requirements)} (once)`);
  rmSync(folder, { recursive: true, force: true });
  await run(python, ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '-r', requirements];
  await run(join(bin, 'python'), [...pip, ...more], { timeout: 300_000 });
  writeFileSync(mark, fingerprint);
  return bin;
}
