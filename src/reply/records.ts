import { overResponseBytes } from '../model/errors.ts';
import type { RecordsFormat } from '../model/http.ts';
import type { Piece, Rows } from '../model/rows.ts';
import type { Steps } from '../values/slices.ts';
import * as formats from './formats/index.ts';
import { inJson, rowParts, textsOf } from './formats/long-cells.ts';
import type { Pieces } from './pieces.ts';

/**
 * Writes the value of the answer's member `records`, in the requested `records_format`, one record per step.
 * @throws Refusal invalid, with advice, as soon as it has more than `maxBytes`
 */
export function* records(rows: Rows, name: RecordsFormat, maxBytes: number, to: Pieces): Steps<void> {
  const before = to.length;
  if (rows.written !== undefined) yield* written(rows.written, to);
  else
    for (const text of texts(rows, name)) {
      to.add(text);
      // The cheap lower bound suffices while records are added; the exact size is checked at the end.
      if (to.atLeast - before > maxBytes) throw overResponseBytes(maxBytes);
      yield;
    }
  if (to.atLeast * 3 > maxBytes && to.length - before > maxBytes) throw overResponseBytes(maxBytes);
}

/** Adds the pieces that a `JsonRowWriter` has written. The writer leaves very long strings unescaped, so they are escaped here. */
function* written(pieces: readonly Piece[], to: Pieces): Steps<void> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      to.addBytes(piece);
      continue;
    }
    to.add('"');
    for (const text of textsOf(piece.text)) {
      to.add(inJson(text));
      yield;
    }
    to.add('"');
  }
}

/** The text of the records, one by one, with very long cells in parts. */
function* texts({ fields, encoders, cells: all }: Rows, name: RecordsFormat): Generator<string, void> {
  const { isJson, format } = formats[name];
  const formatter = format(fields, encoders);
  const { head, between, tail } = formatter;
  // The lines of csv and tsv become one JSON string.
  const written = isJson ? (text: string) => text : inJson;
  yield (isJson ? '' : '"') + written(head);
  let gap = '';
  for (const cells of all) {
    if (gap !== '') yield gap;
    for (const part of rowParts(formatter, encoders, cells)) yield written(part);
    gap = written(between);
  }
  yield written(tail) + (isJson ? '' : '"');
}
