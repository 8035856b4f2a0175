import type { Kind } from '../table.ts';
import { plain } from './show.ts';
import { fold } from './words.ts';

/** Returns a test whether a value's text matches a LIKE pattern; null if the value has no text, or the pattern is invalid. */
export function pattern(kind: Kind, sent: string, folds: boolean): ((cell: string) => boolean) | null {
  if (kind.is === 'bytes') return null;
  const turned = folds ? fold : (text: string) => text;
  const parts: string[] = [];
  const letters = Array.from(sent);
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? '';
    const escaped = letter === '\\' ? letters[++i] : undefined;
    if (letter === '\\' && escaped === undefined) return null;
    if (escaped === undefined && letter === '%') parts.push('[^]*');
    else if (escaped === undefined && letter === '_') parts.push('[^]');
    else parts.push(turned(escaped ?? letter).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  }
  const form = new RegExp(`^${parts.join('')}$`, 'u');
  return (cell) => form.test(turned(plain(kind, cell)));
}
