/** PostgreSQL's own parser, compiled to WebAssembly. No other file imports it. */
import { SqlFault } from '../model/select.ts';
import { byteOf } from '../values/sql-position.ts';

/** Parses a text to PostgreSQL's parse tree, which is JSON. */
export type ParseTree = (sql: string) => unknown;

/** The parser failed for another reason than a syntax error, for example because its stack is full. Its memory may be corrupt now. */
export class ParserCrash extends Error {}

const warmUp =
  "SELECT a AS b, round(avg(c), 2) FROM (SELECT * FROM d) e JOIN f ON e.g = f.g WHERE h IN (1, 2.5) AND i ILIKE '%x' GROUP BY 1 HAVING count(*) > 1 ORDER BY b DESC LIMIT 9";

/** How many characters of the text an error may quote. */
const maxQuoted = 50;

/**
 * Loads the parser, which takes some 60 ms and 25 MB.
 * @returns a function that throws an `SqlFault` for a syntax error, and a `ParserCrash` if the parser itself fails
 */
export async function loadParser(): Promise<ParseTree> {
  const { loadModule, parseSync, SqlError } = await import('libpg-query');
  await loadModule();
  // V8 compiles each part of the parser when it is first used. Without this warm-up, the first text would take 15 ms.
  parseSync(warmUp);
  return (sql) => {
    try {
      return parseSync(sql);
    } catch (error) {
      if (!(error instanceof SqlError)) throw new ParserCrash('the SQL parser failed', { cause: error });
      const character = error.sqlDetails?.cursorPosition ?? 0;
      throw new SqlFault(shortened(error.message), byteOf(sql, character));
    }
  };
}

/** The lexer's errors quote all the rest of the text, so shorten the quote. */
function shortened(message: string): string {
  const [, before, quoted = ''] = /^(.*? at or near )"(.*)"$/s.exec(message) ?? [];
  const characters = [...quoted];
  if (before === undefined || characters.length <= maxQuoted) return message;
  return `${before}"${characters.slice(0, maxQuoted).join('')}…"`;
}
