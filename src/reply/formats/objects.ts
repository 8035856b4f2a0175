import type { Format, FormatMaker } from './format.ts';
import { inJson, partsOf } from './long-cells.ts';
import { columnsOf } from './object-columns.ts';
import { writtenObjects } from './objects-bytes.ts';

/**
 * A JSON array of objects. Cells are never parsed, so digits stay as the database wrote them. A column selected twice is shown
 * once.
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

/** Escapes a text; JSON is written unchanged. */
export const longInJson: Format['long'] = ({ is, text }, mark) => ({
  standIn: mark,
  shown: mark,
  parts: partsOf(text, is === 'text' ? inJson : undefined),
});
