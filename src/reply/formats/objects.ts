import type { Encoder, Field } from '../../model/rows.ts';
import type { Format, FormatMaker } from './format.ts';
import { inJson, partsOf } from './long.ts';

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
};

/** Escapes a text; JSON is written unchanged. */
export const longInJson: Format['long'] = ({ is, text }, mark) => ({
  standIn: mark,
  shown: mark,
  parts: partsOf(text, is === 'text' ? inJson : undefined),
});

/** The columns of an object: the index of each cell, its encoder, and the text before it. */
export function columnsOf(fields: readonly Field[], encoders: readonly Encoder[]) {
  const seen = new Set<string>();
  return fields.flatMap(({ id }, index) => {
    const encoder = encoders[index];
    if (encoder === undefined || seen.has(id)) return [];
    const prefix = `${seen.size === 0 ? '' : ','}${JSON.stringify(id)}:`;
    seen.add(id);
    return [{ index, encoder, prefix }];
  });
}
