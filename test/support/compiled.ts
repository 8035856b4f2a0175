import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { end, root } from './program.ts';

/**
 * Compiles the source once per run. The output is inside the repository, because Node looks for packages in the parent folders. `TEST_BUILD` names
 * the folder of another build to test instead: with an older one you can show that a new test fails on it.
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
