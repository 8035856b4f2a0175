/** What a text must fulfil before the parser sees it. Pure. */
import { SqlFault } from '../model/select.ts';

/** The parser needs 31 ms for 10,000 characters of nested comments, and next to none for this many. */
const maxComments = 50;

/**
 * Checks the text of a client.
 * @param maxCharacters `limits.sqlLength`, in code points
 * @throws SqlFault for a text that is empty or too long, and for one that the parser would not see as it is
 */
export function checkText(sql: string, maxCharacters: number): void {
  // `length` counts UTF-16 units, of which a character has one or two.
  if (sql.length > maxCharacters && (sql.length > 2 * maxCharacters || [...sql].length > maxCharacters))
    throw new SqlFault(`must have at most ${maxCharacters} characters`, null);
  if (sql.trim() === '') throw new SqlFault('must be a SELECT', null);
  // The parser stops at U+0000 without an error, and would run the part before it.
  const nul = sql.indexOf('\0');
  if (nul !== -1) throw new SqlFault('must not contain the character U+0000', Buffer.byteLength(sql.slice(0, nul)));
  // Half of a surrogate pair becomes U+FFFD in UTF-8, so a comparison would be with another text.
  const broken = sql.search(/\p{Surrogate}/u);
  if (broken !== -1)
    throw new SqlFault('must not contain half of a surrogate pair', Buffer.byteLength(sql.slice(0, broken)));
  // Also those inside of quoted texts: to tell them apart would take a lexer, and two lexers may disagree.
  const extra = [...sql.matchAll(/--|\/\*/g)][maxComments];
  if (extra !== undefined)
    throw new SqlFault(`must have at most ${maxComments} comments`, Buffer.byteLength(sql.slice(0, extra.index)));
}
