/** Checks a client's SQL text before the parser sees it. Pure. */
import { SqlFault } from '../model/select.ts';

/** Nested comments are slow: the parser takes 31 ms for 10,000 characters of them, and hardly any time for this many. */
const maxComments = 50;

/**
 * Checks a client's text.
 * @param maxCharacters `limits.sqlLength`, in code points
 * @throws SqlFault if the text is empty or too long, or if the parser would read it differently than it is written
 */
export function checkText(sql: string, maxCharacters: number): void {
  // `length` counts UTF-16 units; a character has one or two of them.
  if (sql.length > maxCharacters && (sql.length > 2 * maxCharacters || [...sql].length > maxCharacters))
    throw new SqlFault(`must have at most ${maxCharacters} characters`, null);
  if (sql.trim() === '') throw new SqlFault('must be a SELECT', null);
  // The parser takes U+0000 for the end, without an error, so we would run only the part before it.
  const nul = sql.indexOf('\0');
  if (nul !== -1) throw new SqlFault('must not contain the character U+0000', Buffer.byteLength(sql.slice(0, nul)));
  // In UTF-8, half of a surrogate pair becomes U+FFFD, so the query would compare with another text.
  const broken = sql.search(/\p{Surrogate}/u);
  if (broken !== -1)
    throw new SqlFault('must not contain half of a surrogate pair', Buffer.byteLength(sql.slice(0, broken)));
  // This also counts comment marks inside quoted texts. Telling them apart would take a second lexer, which may disagree with the parser's.
  const extra = [...sql.matchAll(/--|\/\*/g)][maxComments];
  if (extra !== undefined)
    throw new SqlFault(`must have at most ${maxComments} comments`, Buffer.byteLength(sql.slice(0, extra.index)));
}
