import { overResponseBytes } from '../model/errors.ts';
import type { RecordsFormat } from '../model/http.ts';
import type { Piece, Rows } from '../model/rows.ts';
import type { Steps } from '../values/slices.ts';
import * as formats from './formats/index.ts';
import { inJson, rowParts, textsOf } from './formats/long-cells.ts';
import type { Pieces } from './pieces.ts';

/**
 * Adds the JSON value of a `records` member in a format of `records_format` (contract 3.9), a record in each step.
 * @throws Refusal invalid once it is over `maxBytes`, with a hint how to get less
 */
export function* records(rows: Rows, name: RecordsFormat, maxBytes: number, to: Pieces): Steps<void> {
  const before = to.length;
  if (rows.written !== undefined) yield* written(rows.written, to);
  else
    for (const text of texts(rows, name)) {
      to.add(text);
      // A text has at least as many bytes as characters; the exact count follows at the end.
      if (to.atLeast - before > maxBytes) throw overResponseBytes(maxBytes);
      yield;
    }
  if (to.atLeast * 3 > maxBytes && to.length - before > maxBytes) throw overResponseBytes(maxBytes);
}

/** Adds pieces that a `JsonRowWriter` has written; a very long text is escaped now. */
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

/** The text of the records, record by record, very long cells part by part. */
function* texts({ fields, encoders, cells: all }: Rows, name: RecordsFormat): Generator<string, void> {
  const { isJson, format } = formats[name];
  const made = format(fields, encoders);
  const { head, between, tail } = made;
  // In a JSON answer, lines are one JSON string.
  const written = isJson ? (text: string) => text : inJson;
  yield (isJson ? '' : '"') + written(head);
  let gap = '';
  for (const cells of all) {
    if (gap !== '') yield gap;
    for (const part of rowParts(made, encoders, cells)) yield written(part);
    gap = written(between);
  }
  yield written(tail) + (isJson ? '' : '"');
}
