import type { FormatMaker } from './format.ts';
import { objects } from './objects.ts';

/** A JSON object in each line. A JSON column may hold line breaks, which are blanks to JSON; no other value can. */
export const jsonl: FormatMaker = {
  isJson: true,
  format(fields, encoders) {
    const { row } = objects.format(fields, encoders);
    const mayBreak = fields.some(({ type }) => /^_*jsonb?$/.test(type));
    const inOne: typeof row = mayBreak ? (cells) => row(cells).replace(/[\r\n]+/g, ' ') : row;
    return { head: '', row: (cells) => `${inOne(cells)}\n`, between: '', tail: '' };
  },
};
