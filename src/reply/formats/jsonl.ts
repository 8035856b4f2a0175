import type { FormatMaker } from './format.ts';
import { objects } from './objects.ts';

/** A JSON object in each line. A JSON column may hold line breaks, which are blanks to JSON. */
export const jsonl: FormatMaker = {
  isJson: true,
  format(fields, encoders) {
    const { row } = objects.format(fields, encoders);
    return { head: '', row: (cells) => `${row(cells).replace(/[\r\n]+/g, ' ')}\n`, between: '', tail: '' };
  },
};
