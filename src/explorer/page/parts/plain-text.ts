/** Removes Markdown syntax, but leaves `snake_case`, `2 * 3` and `a > b` alone: the list of tables shows descriptions as plain text. */
export function plainText(markdown: string): string {
  return (
    markdown
      .replace(/^ {0,3}(?:#{1,6}|>)[ \t]+/gm, '')
      .replace(/`([^`]+)`/g, '$1')
      // A URL may itself contain parentheses.
      .replace(/!?\[([^\][]*)\]\(((?:[^()]|\([^()]*\))*)\)/g, '$1')
      .replace(/(\*{1,2})(?=[^\s*])([^*]*[^\s*])\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}_])(_{1,2})(?=[^\s_])([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2')
      .trim()
  );
}
