/** Finds texts that a database's encoding cannot hold, so that no record can contain them. */
import type { Server } from '../../model/catalog.ts';

/** Clients choose which characters to send, so we clear the set when it is full. */
const maxLackingCharacters = 10_000;

/** Whether the database can store the text. It never stores NUL or half a surrogate pair. */
export function isStorable(text: string, { encoding }: Server): boolean {
  if (!text.isWellFormed() || text.includes('\0')) return false;
  if (encoding !== undefined && encoding.lacks.size > 0)
    for (const one of text) if (encoding.lacks.has(one)) return false;
  return true;
}

/** Remembers that the database's encoding lacks a character, so that filters with it find nothing. */
export function exclude(character: string, { encoding }: Server): void {
  if (encoding === undefined) return;
  if (encoding.lacks.size >= maxLackingCharacters) encoding.lacks.clear();
  encoding.lacks.add(character);
}
