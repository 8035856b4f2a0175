/** Reads the pages of the docs and their fenced blocks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Fence {
  /** The path from the root of the repository, such as `docs/api.md`. */
  readonly page: string;
  /** The line number of its first line, from 1. */
  readonly line: number;
  /** The word after the opening backticks; empty if there is none. */
  readonly language: string;
  readonly text: string;
  /** The last heading above the block. */
  readonly heading: string;
  /** The name of the generated part that contains the block; null if it is written by hand. */
  readonly region: string | null;
  /** The previous block under the same heading. */
  readonly before: Fence | null;
}

export const root = resolve(import.meta.dirname, '../../..');

/** README, CONTRIBUTING, CHANGELOG and every page of `docs`. */
export const pages: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The blocks of a page, in order. Throws if a block is indented or not closed, because tests would silently miss it. */
export function fencesOf(page: string, text = readPage(page)): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { readonly line: number; readonly language: string; readonly lines: string[] } | null = null;
  let before: Fence | null = null;
  let heading = '';
  let region: string | null = null;
  for (const [at, line] of text.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```+ *(\S*)/.exec(line) ?? [];
    const isMark = /^ *```/.test(line);
    if (isMark && indent !== '') throw new Error(`${page}:${at + 1}: a fenced block must not be indented`);
    if (!isMark) {
      open?.lines.push(line);
      if (open !== null) continue;
      const [, comment] = /^<!-- (.+) -->$/.exec(line) ?? [];
      if (comment !== undefined) region = comment === 'end' ? null : comment;
      if (!/^#+ /.test(line)) continue;
      heading = line.replace(/^#+ /, '');
      before = null;
      continue;
    }
    if (open === null) {
      open = { line: at + 1, language, lines: [] };
      continue;
    }
    const { line: first, language: name, lines } = open;
    const fence: Fence = { page, line: first, language: name, text: lines.join('\n'), heading, region, before };
    fences.push(fence);
    before = fence;
    open = null;
  }
  if (open !== null) throw new Error(`${page}:${open.line}: the block does not end`);
  return fences;
}

export const whereIs = ({ page, line, language }: Fence): string => `${page}:${line} (${language || 'no language'})`;
