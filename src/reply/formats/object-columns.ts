import type { Encoder, Field } from '../../model/rows.ts';

/** The columns of an object, without repeated ones: the index of the cell, its encoder, and the text `,"name":` before it. */
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
