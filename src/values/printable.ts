/** Pure. Escapes characters that a terminal interprets or does not show. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** @param written escapes a character, given its code point */
export const escaped = (text: string, written: (code: number) => string): string =>
  text.replace(unseen, (char) => written(char.codePointAt(0) ?? 0));

/** Escapes control characters, which could move the cursor and overwrite other lines, and line breaks, which could fake a line. */
export const printable = (text: string): string => escaped(text, (code) => `\\u{${code.toString(16)}}`);
