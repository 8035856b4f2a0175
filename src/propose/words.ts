/** Pure. The words of a table's or a column's name. */

/** `tbl_KundeEMail2` → `tbl`, `kunde`, `e`, `mail`, `2`. Accents are taken off. */
export function wordsOf(name: string): readonly string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const spaced = plain
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  return spaced.trim().toLowerCase().split(' ');
}

/** Whether these words stand in the name side by side. */
export const hasWords = (words: readonly string[], wanted: string): boolean =>
  ` ${words.join(' ')} `.includes(` ${wanted} `);

/** `tbl_order_items` → `Order items`: a first word that means table or view is taken off. */
export function titleOf(name: string): string {
  const words = wordsOf(name);
  const isPrefix = words.length > 1 && !/^\d+$/.test(words[1] ?? '');
  const [first = '', ...others] =
    isPrefix && /^(?:tbl|tab|table|t|v|vw|mv|view)$/.test(words[0] ?? '') ? words.slice(1) : words;
  return [first.slice(0, 1).toUpperCase() + first.slice(1), ...others].join(' ');
}

/** A table of words or phrases: `password, mot de passe`. */
export const listed = (phrases: string): readonly string[] => phrases.trim().split(/\s*,\s*/);
