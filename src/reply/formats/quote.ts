/** The quotes of csv and tsv. */

/** NULL is empty; all else is quoted where necessary. */
export function quoter(delimiter: string): (value: string | null) => string {
  const special = specialTo(delimiter);
  return (value) => {
    if (value === null) return '';
    return value !== '' && !special.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
  };
}

/** The characters that require quotes, beside the delimiter. */
export const specials = '"\r\n';
const specialTo = (delimiter: string): RegExp => new RegExp(`[${specials}${delimiter}]`);

/** COPY quotes a line that would be its end-of-data mark. */
export const alone = (columns: number, text: string): string => (columns === 1 && text === '\\.' ? '"\\."' : text);
