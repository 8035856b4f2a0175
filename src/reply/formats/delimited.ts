import { lines } from './delimited-bytes.ts';
import type { DownloadFormat, Format } from './format.ts';
import { partsOf } from './long-cells.ts';
import { alone, quoter, specials } from './quote.ts';

/** Lines byte for byte as PostgreSQL's COPY writes CSV (contract 3.9). So COPY may write a download. */
export function delimited(delimiter: string): Omit<DownloadFormat, 'mediaType'> {
  return {
    isJson: false,
    bom: true,
    header: (fields) => `${line(delimiter)(fields.map(({ id }) => id))}\n`,
    format(_, encoders) {
      const quoted = quoter(delimiter);
      const row: Format['row'] = (cells) => {
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
    lines: (encoders) => ({ delimiter, encoders, lines: () => lines(delimiter, encoders) }),
  };
}

/** Writes lines without their end. NULL is empty, the empty text `""`; all else is quoted only where necessary. */
export function line(delimiter: string): (values: readonly (string | null)[]) => string {
  const quoted = quoter(delimiter);
  return (values) => alone(values.length, values.map(quoted).join(delimiter));
}
