import { toJson } from '../json.ts';
import type { FormatMaker } from './format.ts';

/** A whole JSON document, a line for each record (contract 11). */
export const json: FormatMaker = {
  isJson: true,
  format: (fields, encoders) => ({
    head: `{\n  "fields": ${toJson(fields.map((field) => ({ ...field })))},\n  "records": [`,
    row: (cells) => `\n    [${encoders.map((encoder, index) => encoder.json(cells[index] ?? null)).join(',')}]`,
    between: ',',
    tail: '\n]}\n',
  }),
};
