/** `src/parse/thread.ts` as a thread in tests: Node does not run TypeScript by itself in all versions that we support. */
import { register } from 'node:module';

const hooks = `
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = transformSync(readFileSync(new URL(url), 'utf8'), { loader: 'ts', format: 'esm' });
  return { format: 'module', source: code, shortCircuit: true };
}`;
register(
  `data:text/javascript,${encodeURIComponent(hooks.replace("'esbuild'", JSON.stringify(import.meta.resolve('esbuild'))))}`,
);
await import('../../src/parse/thread.ts');
