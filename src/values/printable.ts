/** Pure. Characters that a terminal obeys, or does not show. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** @param written escapes the number of a character that cannot be seen */
export const escaped = (text: string, written: (code: number) => string): string =>
  text.replace(unseen, (char) => written(char.codePointAt(0) ?? 0));

/** A control character could move the cursor and write over what stands above; a line break would look like another line. */
export const printable = (text: string): string => escaped(text, (code) => `\\u{${code.toString(16)}}`);
