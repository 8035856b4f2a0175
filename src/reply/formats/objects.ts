import { overResponseBytes } from '../../errors.ts';
import type { Rows } from '../../plan.ts';

/**
 * Writes rows as a JSON array of objects; `records_format: objects` (contract 3.9). Cells become text by their column's
 * encoder and are never parsed, so digits stay as the database wrote them. A column selected twice is shown once.
 * @throws Refusal invalid once the text is over `maxBytes`, with what to change (design 6, "Total")
 */
export function objects(rows: Rows, maxBytes: number): string {
  const seen = new Set<string>();
  const columns = rows.fields.flatMap(({ id }, index) => {
    const encoder = rows.encoders[index];
    if (encoder === undefined || seen.has(id)) return [];
    const prefix = `${seen.size === 0 ? '' : ','}${JSON.stringify(id)}:`;
    seen.add(id);
    return [{ index, encoder, prefix }];
  });
  let text = '[';
  for (const cells of rows.cells) {
    text += text.length === 1 ? '{' : ',{';
    for (const { index, encoder, prefix } of columns) text += prefix + encoder.json(cells[index] ?? null);
    text += '}';
    // A text has at least as many bytes as characters; the exact count waits until it is whole.
    if (text.length > maxBytes) throw overResponseBytes(maxBytes);
  }
  text += ']';
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) throw overResponseBytes(maxBytes);
  return text;
}
