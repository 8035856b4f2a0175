/** Pure. Names in the SQL of PostgreSQL. */

/** Comments, texts (also between dollars), quoted names, then words, whose hyphens an unquoted UUID has. An open end is the end of the SQL. */
const tokens =
  /--.*|\/\*[\s\S]*?(?:\*\/|$)|e'(?:\\[\s\S]|[^'\\])*(?:'|$)|'[^']*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|(u&)?"((?:""|[^"])*)"|([\p{L}\p{N}_][\p{L}\p{N}_$]*(?:[-.][\p{L}\p{N}_$]+)*)/giu;

/** The names that may be those of tables: quoted ones as they are meant, and all words, with and without their schema. */
export function namesInSql(sql: string): readonly string[] {
  const found: string[] = [];
  for (const [, , isEscaped, quoted, words] of sql.matchAll(tokens)) {
    if (words !== undefined) found.push(words, ...words.split('.'));
    if (quoted === undefined) continue;
    const name = quoted.replaceAll('""', '"');
    found.push(isEscaped === undefined ? name : name.replace(escapes, (_, long, short) => character(long ?? short)));
  }
  return found;
}

const escapes = /\\(?:\+([\da-f]{6})|([\da-f]{4}))/gi;

function character(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10_ffff ? '' : String.fromCodePoint(code);
}
