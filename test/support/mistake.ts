import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

/** A part of the source and what stands there instead: a mistake that a test must find. */
export interface Mistake {
  /** Path from the root of the repository, as `src/cache/key.ts`. */
  readonly file: string;
  /** Occurs there once. */
  readonly right: string;
  readonly wrong: string;
}

const root = resolve(import.meta.dirname, '../..');

/** The source of the file with the mistake in it. Throws if the source has changed and no longer holds `right` exactly once. */
function mistaken({ file, right, wrong }: Mistake): string {
  const parts = readFileSync(join(root, file), 'utf8').split(right);
  if (parts.length !== 2)
    throw new Error(`${file} must hold this once, and holds it ${parts.length - 1} times: ${right}`);
  return parts.join(wrong);
}

/** The mistake that `npm run promises` plants in this run of vitest. */
export const mistakeOfRun: Mistake | null = process.env.TEST_MISTAKE ? JSON.parse(process.env.TEST_MISTAKE) : null;

/** A plugin of vite that gives tests the module with the mistake in it. */
export function mistakePlugin(mistake: Mistake) {
  const path = join(root, mistake.file);
  return {
    name: 'mistake',
    enforce: 'pre' as const,
    load: (id: string) => (id === path ? mistaken(mistake) : null),
  };
}

/**
 * Options of Node under which a compiled program loads the module with the mistake in it. Its workers and threads inherit them.
 * @param compiled the folder of the program
 */
export function mistakeOptions(mistake: Mistake, compiled: string): readonly string[] {
  const { code } = transformSync(mistaken(mistake), { loader: 'ts', target: 'es2023' });
  const planted = {
    url: String(pathToFileURL(join(compiled, mistake.file.replace(/^src\//, '').replace(/\.ts$/, '.js')))),
    // The compiled modules import one another as `.js`.
    source: code.replace(/((?:from |import\()"\.[^"]+)\.ts"/g, '$1.js"'),
  };
  const hooks = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'mistake-hooks.mjs')));
  const register = `import { register } from 'node:module'; register(${hooks}, { data: ${JSON.stringify(planted)} });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(register)}`];
}
