/** Positions in the text of a client. Pure. PostgreSQL's parser counts bytes of UTF-8, and its own errors count characters. */

/**
 * The character of a byte, counted from 1. A character is a Unicode code point, as in PostgreSQL: an emoji counts once.
 * @param at the byte, from 0; above the length of the text, it is the character after the last one
 */
export function positionOf(sql: string, at: number): number {
  let bytes = 0;
  let characters = 0;
  for (const character of sql) {
    bytes += Buffer.byteLength(character);
    if (bytes > at) break;
    characters++;
  }
  return characters + 1;
}

/** The first byte, from 0, of the character `nth`, from 0. */
export function byteOf(sql: string, nth: number): number {
  let bytes = 0;
  let characters = 0;
  for (const character of sql) {
    if (characters === nth) break;
    bytes += Buffer.byteLength(character);
    characters++;
  }
  return bytes;
}
