import { lines } from './delimited-bytes.ts';
import type { DownloadFormat, Format } from './format.ts';
import { partsOf } from './long-cells.ts';
import { alone, quoter, specials } from './quote.ts';

/** Writes lines exactly as PostgreSQL's COPY writes CSV, as CKAN does. So we may also let COPY itself write a download. */
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
        // If the text needs quotes, its stand-in contains a delimiter, so that writing the row quotes the stand-in, too.
        long({ text }, mark) {
          // `includes`, because a regular expression over 60 MB would block the event loop for too long.
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

/** Makes a function that writes a line without its line feed. NULL becomes an empty cell, `''` becomes `""`; quotes only where needed. */
export function line(delimiter: string): (values: readonly (string | null)[]) => string {
  const quoted = quoter(delimiter);
  return (values) => alone(values.length, values.map(quoted).join(delimiter));
}
