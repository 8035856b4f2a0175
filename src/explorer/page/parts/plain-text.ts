/** Strips Markdown: descriptions are written in it, but the page shows plain text. */

/** A description's beginning, in one line. */
export function firstWords(markdown: string, most: number): string {
  const plain = plainText(markdown.slice(0, most * 4), false)
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}

/**
 * Removes Markdown syntax, but leaves `snake_case`, `2 * 3` and `a > b` alone.
 * @param hasAddresses whether to keep a link's URL after its text
 */
export function plainText(markdown: string, hasAddresses: boolean): string {
  return (
    markdown
      .replace(/^ {0,3}(?:#{1,6}|>)[ \t]+/gm, '')
      .replace(/`([^`]+)`/g, '$1')
      // A URL may itself contain parentheses.
      .replace(/!?\[([^\][]*)\]\(((?:[^()]|\([^()]*\))*)\)/g, hasAddresses ? '$1 ($2)' : '$1')
      .replace(/(\*{1,2})(?=[^\s*])([^*]*[^\s*])\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}_])(_{1,2})(?=[^\s_])([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2')
      .trim()
  );
}
