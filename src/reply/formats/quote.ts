/** Decides which cells of csv and tsv need quotes. */

/** Makes a function that writes a cell: NULL as nothing, a value in quotes if it needs them. */
export function quoter(delimiter: string): (value: string | null) => string {
  const special = specialTo(delimiter);
  return (value) => {
    if (value === null) return '';
    return value !== '' && !special.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
  };
}

/** The characters that require quotes, besides the delimiter. */
export const specials = '"\r\n';
const specialTo = (delimiter: string): RegExp => new RegExp(`[${specials}${delimiter}]`);

/** A line's text. Like COPY, it quotes a line that is only `\.`, which would mark the end of the data. */
export const alone = (columns: number, text: string): string => (columns === 1 && text === '\\.' ? '"\\."' : text);
