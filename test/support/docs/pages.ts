import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';

export const root = resolve(import.meta.dirname, '../../..');
export const pages: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(resolve(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => resolve(root, path));

export const read = (page: string): string => readFileSync(page, 'utf8');

/** Compares the text between `<!-- name -->` and `<!-- end -->` with the expected text. Exactly one page must have it. `UPDATE=1` writes it. */
export function expectGenerated(name: string, text: string): void {
  const block = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  const [page, ...others] = pages.filter((path) => block.test(read(path)));
  if (page === undefined || others.length > 0) throw new Error(`one page must have <!-- ${name} -->`);
  const written = read(page).replace(block, (_, head, tail) => `${head}${text}${tail}`);
  if (process.env.UPDATE === '1') writeFileSync(page, written);
  expect(read(page)).toBe(written);
}
