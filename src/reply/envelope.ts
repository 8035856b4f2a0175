import { kinds, overResponseBytes, type Refusal } from '../model/errors.ts';
import type { RecordsFormat, Result } from '../model/http.ts';
import type { Piece, Rows } from '../model/rows.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { isList, toJson } from '../values/json.ts';
import type { Steps } from '../values/slices.ts';
import * as formats from './formats/index.ts';
import { inJson, rowParts, textsOf } from './formats/long-cells.ts';
import { Pieces } from './pieces.ts';

/**
 * The body of a successful answer, with the same keys in the same order as CKAN's. It is written in steps, so that a long one does not block
 * the event loop.
 * @param help the URL of the action's help
 * @throws Refusal invalid if the records alone have more than `maxBytes`
 */
export function* success(help: string, result: Result, maxBytes: number): Steps<string | Uint8Array> {
  const { before, after } = envelope(help);
  const body = new Pieces();
  body.add(before);
  let gap = '{';
  for (const member of result.members) {
    body.add(`${gap}${JSON.stringify(member[0])}:`);
    gap = ',';
    if (member.length === 3) yield* records(member[1], member[2], maxBytes, body);
    else yield* value(member[1], body);
  }
  body.add(`${gap === ',' ? '' : gap}}${after}`);
  return yield* body.joined();
}

/** Writes a JSON value. Lists are written item by item, because with `server.compat: "2.11"` they may repeat many records. */
function* value(json: Json, body: Pieces): Steps<void> {
  if (!isList(json)) {
    body.add(toJson(json));
    return;
  }
  body.add('[');
  for (const [nth, item] of json.entries()) {
    body.add(`${nth === 0 ? '' : ','}${toJson(item)}`);
    yield;
  }
  body.add(']');
}

/**
 * Writes the answer's `records` in the requested `records_format`, one record per step.
 * @throws Refusal invalid, with advice, as soon as they have more than `maxBytes`
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

/** The records' text, one record at a time, with very long cells in parts. */
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

/** The body of a successful answer without records. */
export function plainSuccess(help: string, result: Json): string {
  const { before, after } = envelope(help);
  return before + toJson(result) + after;
}

/** The part of a successful answer's body that holds the result. */
export function resultIn(help: string, body: string | Uint8Array): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
  const { before, after } = envelope(help);
  return bytes.subarray(Buffer.byteLength(before), -after.length);
}

/** The text before and after a result. */
const envelope = (help: string) => ({ before: `{"help":${JSON.stringify(help)},"success":true,"result":`, after: '}' });

/** The most characters a refusal's message may have: it may quote long names and values from the request. */
const maxCharacters = 2000;

const cut = <T extends Json>(text: T): T | string =>
  typeof text === 'string' && text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;

/**
 * The body of a refusal, as in CKAN: a bare JSON string for kinds without `__type`; else an object, in which `__type` comes last
 * in validation errors and first in all others.
 */
export function failure(help: string, refusal: Refusal): string {
  const error = errorOf(refusal);
  if (typeof error === 'string') return JSON.stringify(error);
  return `{"help":${JSON.stringify(help)},"error":${toJson(error)},"success":false}`;
}

/** What a refusal says: a text for kinds without `__type`, else an object. */
export function errorOf(refusal: Refusal): string | JsonObject {
  const { type } = kinds[refusal.kind];
  if (type === null) return cut(refusal.message);
  const details = Object.fromEntries(
    Object.entries(refusal.details).map(([name, texts]) => [cut(name), isList(texts) ? texts.map(cut) : cut(texts)]),
  );
  return type === kinds.invalid.type ? { ...details, __type: type } : { __type: type, ...details };
}
