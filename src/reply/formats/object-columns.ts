import type { Encoder, Field } from '../../model/rows.ts';

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
