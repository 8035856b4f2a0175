import type { DownloadFormat } from './format.ts';
import { longInJson, objects } from './objects.ts';

/** A JSON object in each line. Line breaks only occur in JSON columns, as white space between tokens; they become blanks. */
export const jsonl: DownloadFormat = {
  mediaType: 'application/x-ndjson',
  bom: false,
  isJson: true,
  format(fields, encoders) {
    const { row } = objects.format(fields, encoders);
    const mayBreak = fields.some(({ type }) => /^_*jsonb?$/.test(type));
    const inOne = (text: string) => (mayBreak ? text.replace(/[\r\n]+/g, ' ') : text);
    return {
      head: '',
      row: (cells) => `${inOne(row(cells))}\n`,
      between: '',
      tail: '',
      long: (cell, mark) => longInJson(cell.is === 'json' ? { ...cell, text: inOne(cell.text) } : cell, mark),
    };
  },
};
