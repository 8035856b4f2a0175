/** Scripts without spaces between words: a full-text parser takes a run of them for one word (Chinese, Japanese, Korean, Thai …). */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Whether every engine's full-text parser reads this as one whole word: letters and digits, in a script with spaces. */
export function isWholeWord(word: string): boolean {
  return /^[\p{L}\p{M}\p{N}]+$/u.test(word) && !unspaced.test(word);
}
