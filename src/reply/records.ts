import type { RecordsFormat } from '../call.ts';
import { overResponseBytes } from '../errors.ts';
import type { Rows } from '../rows.ts';
import * as formats from './formats/index.ts';

/**
 * The JSON value of a `records` member in one of the formats of `records_format` (contract 3.9).
 * @throws Refusal invalid once the text is over `maxBytes`, with what to change (design part 6, "Total")
 */
export function records(rows: Rows, name: RecordsFormat, maxBytes: number): string | Uint8Array {
  if (rows.written !== undefined) {
    if (rows.written.length > maxBytes) throw overResponseBytes(maxBytes);
    return rows.written;
  }
  const { isJson, format } = formats[name];
  const { head, row, between, tail } = format(rows.fields, rows.encoders);
  const written = isJson ? (text: string) => text : (text: string) => JSON.stringify(text).slice(1, -1);
  let text = (isJson ? '' : '"') + written(head);
  let gap = '';
  for (const cells of rows.cells) {
    text += gap + written(row(cells));
    gap = written(between);
    // A text has at least as many bytes as characters; the exact count waits until it is whole.
    if (text.length > maxBytes) throw overResponseBytes(maxBytes);
  }
  text += written(tail) + (isJson ? '' : '"');
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) throw overResponseBytes(maxBytes);
  return text;
}
