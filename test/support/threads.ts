import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/**
 * A plugin of vite for modules that start a thread of `src`: Node cannot load its TypeScript, so the thread is bundled into `.cache`, inside
 * the repository, where Node finds the packages.
 */
export const threads = () => ({
  name: 'threads',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    const started = id.startsWith(join(root, 'src/reply/'))
      ? /new URL\('(\.\/thread)\.js', import\.meta\.url\)/.exec(code)
      : null;
    if (started === null) return null;
    const entry = join(dirname(id), `${started[1]}.ts`);
    const options = { bundle: true, packages: 'external', format: 'esm', platform: 'node', write: false } as const;
    const text = buildSync({ ...options, entryPoints: [entry] }).outputFiles[0]?.text ?? '';
    const file = join(root, '.cache/threads', `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return code.replace(started[0], `new URL(${JSON.stringify(String(pathToFileURL(file)))})`);
  },
});
