import type { FormatMaker } from './format.ts';
import { longInJson } from './objects.ts';

/** A JSON array of arrays, with values in the order of `fields`. A column that is selected twice appears twice. */
export const lists: FormatMaker = {
  isJson: true,
  format: (_, encoders) => ({
    head: '[',
    row: (cells) => `[${encoders.map((encoder, index) => encoder.json(cells[index] ?? null)).join(',')}]`,
    between: ',',
    tail: ']',
    long: longInJson,
  }),
};
