import type { Encoder, Field } from '../../model/rows.ts';

/** The columns of a JSON object, without repeated ones: for each, the index of its cell, its encoder, and the prefix `,"name":`. */
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
