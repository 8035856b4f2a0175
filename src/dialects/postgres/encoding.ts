/** Texts that the encoding of a database cannot hold, so that no record has them. */
import type { Server } from '../../model/catalog.ts';

/** Clients choose the characters: a full set begins anew. */
const mostLacking = 10_000;

/** Whether a text of this database can be, or contain, this one: none has NUL or half a character. */
export function isStorable(text: string, { encoding }: Server): boolean {
  if (!text.isWellFormed() || text.includes('\0')) return false;
  if (encoding !== undefined && encoding.lacks.size > 0)
    for (const one of text) if (encoding.lacks.has(one)) return false;
  return true;
}

/** As `Dialect.exclude`. */
export function exclude(character: string, { encoding }: Server): void {
  if (encoding === undefined) return;
  if (encoding.lacks.size >= mostLacking) encoding.lacks.clear();
  encoding.lacks.add(character);
}
