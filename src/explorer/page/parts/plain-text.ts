/** The text of Markdown, in which descriptions are written. */

/** The beginning of a description, in one line. */
export function firstWords(markdown: string, most: number): string {
  const plain = plainText(markdown.slice(0, most * 4), false)
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}

/**
 * Takes away what is a mark, and nothing else: `snake_case`, `2 * 3` and `a > b` stay what they are.
 * @param hasAddresses whether the address of a link stays beside its text
 */
export function plainText(markdown: string, hasAddresses: boolean): string {
  return (
    markdown
      .replace(/^ {0,3}(?:#{1,6}|>)[ \t]+/gm, '')
      .replace(/`([^`]+)`/g, '$1')
      // The address may have parentheses of its own.
      .replace(/!?\[([^\][]*)\]\(((?:[^()]|\([^()]*\))*)\)/g, hasAddresses ? '$1 ($2)' : '$1')
      .replace(/(\*{1,2})(?=[^\s*])([^*]*[^\s*])\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}_])(_{1,2})(?=[^\s_])([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2')
      .trim()
  );
}
