/** Pure. Finds names in PostgreSQL's SQL. */

/** Matches comments, strings and quoted names (if not closed, up to the end of the SQL), and words, which may contain `-` as a UUID does. */
const tokens =
  /--.*|\/\*[\s\S]*?(?:\*\/|$)|e'(?:\\[\s\S]|[^'\\])*(?:'|$)|'[^']*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|(u&)?"((?:""|[^"])*)"|([\p{L}\p{N}_][\p{L}\p{N}_$]*(?:[-.][\p{L}\p{N}_$]+)*)/giu;

/** All names that may be tables: quoted names without their quotes, and words such as `sales.orders`, both whole and split at dots. */
export function namesInSql(sql: string): readonly string[] {
  const names: string[] = [];
  for (const [, , isEscaped, quoted, words] of sql.matchAll(tokens)) {
    if (words !== undefined) names.push(words, ...words.split('.'));
    if (quoted === undefined) continue;
    const name = quoted.replaceAll('""', '"');
    names.push(isEscaped === undefined ? name : name.replace(escapes, (_, long, short) => character(long ?? short)));
  }
  return names;
}

const escapes = /\\(?:\+([\da-f]{6})|([\da-f]{4}))/gi;

function character(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10_ffff ? '' : String.fromCodePoint(code);
}
