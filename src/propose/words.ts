/** Pure. Splits table and column names into words. */

/** `tbl_KundeEMail2` → `tbl`, `Kunde`, `E`, `Mail`, `2`. */
const split = (name: string): readonly string[] =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');

/** A name's words for comparison: lower case, without accents, `ß` as `ss`. */
export const wordsOf = (name: string): readonly string[] =>
  split(name.normalize('NFKD').replace(/\p{M}/gu, '')).map((word) => word.toLowerCase().replaceAll('ß', 'ss'));

/** A title such as `Order items` for `tbl_order_items`. Drops a first word that means table or view; keeps accents. */
export function titleOf(name: string): string {
  const words = split(name.normalize('NFC')).map((word) => word.toLowerCase());
  const isPrefix = words.length > 1 && !/^\d+$/.test(words[1] ?? '');
  const [first = '', ...others] =
    isPrefix && /^(?:tbl|tab|table|t|v|vw|mv|view)$/.test(words[0] ?? '') ? words.slice(1) : words;
  return [first.slice(0, 1).toUpperCase() + first.slice(1), ...others].join(' ').normalize('NFC');
}

/** Splits a list of words or phrases: `password, mot de passe`. */
export const splitList = (phrases: string): readonly string[] => phrases.trim().split(/\s*,\s*/);

/**
 * Splits compounds such as `creditcardapprovalcode` into known words; a compound with any unknown part stays whole. Prefers few
 * words. A plural counts as its singular.
 */
export function separated(words: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const singular = (word: string): string | null => {
    const stems = [word, ...(word.length > 4 ? [word.replace(/s$/, ''), word.replace(/(?<=s|x|h)es$/, '')] : [])];
    return stems.find((stem) => known.has(stem)) ?? null;
  };
  return words.flatMap((word) => {
    const whole = singular(word);
    if (whole !== null || word.length > 64) return [whole ?? word];
    /** The best split of the first n letters, at index n. */
    const splits: (readonly string[] | null)[] = [[]];
    for (let end = 1; end <= word.length; end++) {
      splits[end] = null;
      for (let start = 0; start < end - 1; start++) {
        const before = splits[start] ?? null;
        const last = before === null ? null : singular(word.slice(start, end));
        if (before === null || last === null || before.length + 1 >= (splits[end]?.length ?? Infinity)) continue;
        splits[end] = [...before, last];
      }
    }
    return splits[word.length] ?? [word];
  });
}
