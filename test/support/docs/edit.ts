/** Applies a `diff` block of a page to a file. */
import { literally } from './compare.ts';

/**
 * @param diff its first line is `--- FILE`. Lines with `-` are replaced by those with `+`, the others locate the place; `…` matches any text, the
 * same in old and new lines.
 * @returns the name of the file and its new text. Throws unless the old lines occur in it exactly once.
 */
export function applyDiff(
  diff: string,
  read: (file: string) => string,
): { readonly file: string; readonly lines: string } {
  const [first = '', ...lines] = diff.split('\n');
  const file = /^--- (\S+)$/.exec(first)?.[1];
  if (file === undefined) throw new Error(`a diff must begin with --- FILE, not with ${first}`);
  const old = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const fresh = lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  const pattern = old.join('\n').split('…').map(literally).join('([^\\n]*)');
  const text = read(file);
  const found = [...text.matchAll(new RegExp(`^${pattern}$`, 'gm'))];
  const [match] = found;
  if (match === undefined || found.length > 1) throw new Error(`${file} has ${found.length} times:\n${old.join('\n')}`);
  const [whole, ...left] = match;
  let nth = 0;
  const filled = fresh.join('\n').replace(/…/g, () => left[nth++] ?? '');
  return { file, lines: text.slice(0, match.index) + filled + text.slice(match.index + whole.length) };
}
