import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { end, root } from './program.ts';

/**
 * Compiles the source and bundles the explorer once per run. The output of the first is inside the repository, because Node looks for packages in the parent folders. `TEST_BUILD` names
 * the folder of another build to test instead: with an older one you can show that a new test fails on it.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const given = process.env.TEST_BUILD;
  if (given) {
    project.provide('compiled', given);
    return () => undefined;
  }
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'compiled-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const build = (...args: readonly string[]) => end(spawn(process.execPath, args));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  for (const { code, stdout, stderr } of await Promise.all([
    build(tsc, '-p', root, '--outDir', join(folder, 'dist')),
    // A gateway inside the tests serves the explorer from `dist`.
    build(join(root, 'src/explorer/page/build.mjs')),
  ])) {
    if (code === 0) continue;
    remove();
    throw new Error(`${stdout}${stderr}`);
  }
  project.provide('compiled', join(folder, 'dist'));
  return remove;
}
