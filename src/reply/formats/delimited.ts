import type { FormatMaker } from './format.ts';
import { partsOf } from './long.ts';

/** Lines without a header, byte for byte as PostgreSQL's COPY writes CSV (contract 3.9). So COPY may write a dump. */
export function delimited(delimiter: string): FormatMaker {
  return {
    isJson: false,
    format(_, encoders) {
      const quoted = quoter(delimiter);
      const row: FormatOf['row'] = (cells) => {
        let text = '';
        for (let at = 0; at < encoders.length; at++) {
          if (at > 0) text += delimiter;
          text += quoted(encoders[at]?.copy(cells[at] ?? null) ?? null);
        }
        return `${alone(encoders.length, text)}\n`;
      };
      return {
        head: '',
        row,
        between: '',
        tail: '',
        // Quoted where the text needs it: a delimiter in the stand-in makes the row quote it, too.
        long({ text }, mark) {
          // A regular expression would scan 60 MB for as long as other calls may wait.
          if (![...specials, delimiter].some((char) => text.includes(char)))
            return { standIn: mark, shown: mark, parts: partsOf(text) };
          const standIn = mark + delimiter;
          return { standIn, shown: standIn, parts: partsOf(text, (part) => part.replace(/"/g, '""')) };
        },
      };
    },
  };
}

type FormatOf = ReturnType<FormatMaker['format']>;

/** Writes lines without their end. NULL is empty, the empty text `""`; all else is quoted only where necessary. */
export function line(delimiter: string): (values: readonly (string | null)[]) => string {
  const quoted = quoter(delimiter);
  return (values) => alone(values.length, values.map(quoted).join(delimiter));
}

/** NULL is empty; all else is quoted where necessary. */
export function quoter(delimiter: string): (value: string | null) => string {
  const special = specialTo(delimiter);
  return (value) => {
    if (value === null) return '';
    return value !== '' && !special.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
  };
}

/** The characters that require quotes, beside the delimiter. */
const specials = '"\r\n';
const specialTo = (delimiter: string): RegExp => new RegExp(`[${specials}${delimiter}]`);

/** COPY quotes a line that would be its end-of-data mark. */
export const alone = (columns: number, text: string): string => (columns === 1 && text === '\\.' ? '"\\."' : text);
