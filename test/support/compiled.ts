import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { end, root } from './program.ts';

/**
 * Compiles the source once for all tests of a run, inside the repository: its packages are looked up from there. `TEST_BUILD` is the
 * folder of a build to be tested instead: an older one shows that a new test fails where it should.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const build = process.env.TEST_BUILD;
  if (build) {
    project.provide('compiled', build);
    return () => undefined;
  }
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'compiled-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const built = await end(spawn(process.execPath, [tsc, '-p', root, '--outDir', join(folder, 'dist')]));
  if (built.code !== 0) {
    remove();
    throw new Error(built.stdout);
  }
  project.provide('compiled', join(folder, 'dist'));
  return remove;
}
