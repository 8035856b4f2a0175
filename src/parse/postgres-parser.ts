/** PostgreSQL's own parser, compiled to WebAssembly. The only file that imports it. */
import { SqlFault } from '../model/select.ts';
import { byteOf } from '../values/sql-position.ts';

/** What the parser says about a text: its tree, which is JSON. */
export type ParseTree = (sql: string) => unknown;

/** The parser has failed other than by a syntax error, for example because its stack is full. Its memory may be broken now. */
export class ParserCrash extends Error {}

/** How many characters of the text an error may quote. */
const maxQuoted = 50;

/**
 * Loads the parser, which takes some 50 ms and 25 MB.
 * @returns a function that throws an `SqlFault` for a syntax error, and a `ParserCrash` if the parser itself fails
 */
export async function loadParser(): Promise<ParseTree> {
  const { loadModule, parseSync, SqlError } = await import('libpg-query');
  await loadModule();
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

/** An error of the lexer quotes the whole rest of the text. */
function shortened(message: string): string {
  const [, before, quoted = ''] = /^(.*? at or near )"(.*)"$/s.exec(message) ?? [];
  const characters = [...quoted];
  if (before === undefined || characters.length <= maxQuoted) return message;
  return `${before}"${characters.slice(0, maxQuoted).join('')}…"`;
}
