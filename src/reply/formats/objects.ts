import type { Format, FormatMaker } from './format.ts';
import { inJson, partsOf } from './long-cells.ts';
import { columnsOf, writtenObjects } from './objects-bytes.ts';

/**
 * A JSON array of objects. Cells are never parsed, so numbers keep all digits that the database sends. A column that is selected twice
 * appears once.
 */
export const objects: FormatMaker = {
  isJson: true,
  format(fields, encoders) {
    const columns = columnsOf(fields, encoders);
    return {
      head: '[',
      row(cells) {
        let text = '{';
        for (const { index, encoder, prefix } of columns) text += prefix + encoder.json(cells[index] ?? null);
        return `${text}}`;
      },
      between: ',',
      tail: ']',
      long: longInJson,
    };
  },
  jsonRows: writtenObjects,
};

/** Writes a very long cell in a JSON format: a text is escaped, and JSON stays as it is. */
export const longInJson: Format['long'] = ({ is, text }, mark) => ({
  standIn: mark,
  shown: mark,
  parts: partsOf(text, is === 'text' ? inJson : undefined),
});
