/** Positions in a client's text. Pure. PostgreSQL's parser counts bytes of UTF-8, while PostgreSQL's errors count characters. */

/**
 * The number, from 1, of the character at a byte. A character is a Unicode code point, as in PostgreSQL: an emoji counts once.
 * @param at the byte, from 0; beyond the end of the text it means the character after the last one
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

/** The first byte (from 0) of a character. @param nth the character's number, from 0 */
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
