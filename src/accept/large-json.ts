/** A JSON call with many records: all but the records is read at once, the records later and in slices. */

import type { Json } from '../model/value.ts';
import { isList, isObject, jsonIn, must, type Parsed, readJson } from '../values/json.ts';
import { stringEnd } from '../values/json-scan.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import { questionLimit } from './body.ts';

export interface JsonReading {
  /** The largest depth of nested arrays and objects. */
  readonly depth: number;
  /** Limit of characters for all but the records; a text within it is read at once. */
  readonly questionBytes: number;
}

/** A parsed text, without its records where these are read later. */
export interface Large {
  readonly parsed: Parsed;
  /** Reads the records; null where the text was read as a whole. Throws Refusal malformed as `parseJson`. */
  readonly records: (() => Promise<readonly Json[]>) | null;
}

const name = 'records';
/** Wraps each slice, so that it nests as deep as in the whole. */
const [before, after] = [`{"${name}":[`, ']}'];
/** Characters of records that are parsed at a time, and of text that is scanned at a time. */
const [atOnce, step] = [65_536, 262_144];

/**
 * Reads text that may be JSON as `readJson` does, but with a limit that applies before any parser runs. Only the list `records`
 * of the outermost object may be longer than `questionBytes`. That list is read later, after the permission check.
 * @throws Refusal malformed as `readJson`; tooLarge (413) where the rest is over `questionBytes`
 */
export async function readLarge(text: string, { depth, questionBytes }: JsonReading, slice = atOnce): Promise<Large> {
  if (text.length <= questionBytes) return { parsed: await inSlices(jsonIn(text, depth)), records: null };
  const list = await inSlices(recordsIn(text, slice));
  if (list === null || text.length - (list.end - list.begin) > questionBytes) throw questionLimit(questionBytes).over();
  const { begin, end } = list;
  const rest = readJson(text.slice(0, begin) + text.slice(end), depth);
  if ('reason' in rest)
    return { parsed: { reason: moved(rest.reason, (at) => (at < begin ? at : at + end - begin)) }, records: null };
  return { parsed: rest, records: () => inSlices(records(text, list, depth)) };
}

function* records(text: string, { begin, cuts }: List, depth: number): Steps<readonly Json[]> {
  const all: Json[] = [];
  let from = begin;
  for (const to of cuts) {
    yield;
    const part = yield* jsonIn(before + text.slice(from, to) + after, depth);
    if ('reason' in part) must({ reason: moved(part.reason, (at) => from + at - before.length) });
    const read = 'value' in part && isObject(part.value) ? (part.value[name] ?? null) : null;
    // A comma with nothing before or behind it.
    if (!isList(read) || read.length === 0) must({ reason: `Unexpected token ${text[to]} in JSON at position ${to}` });
    else for (const record of read) all.push(record);
    from = to + 1;
  }
  // The next step over the last records belongs to another turn.
  yield;
  return all;
}

/** The position of the records. */
interface List {
  readonly begin: number;
  readonly end: number;
  /** The end of each slice: at a comma, the last one at the end of the list. */
  readonly cuts: readonly number[];
}

/** Finds the list of records of a call; null where the text has none in its outermost object. */
function* recordsIn(text: string, slice: number): Steps<List | null> {
  const opening = new RegExp(`"${name}"\\s*:\\s*\\[`, 'y');
  const cuts: number[] = [];
  let depth = 0;
  let begin: number | null = null;
  let last = 0;
  let pause = step;
  for (let i = 0; i < text.length; i++) {
    if (i >= pause) {
      yield;
      pause = i + step;
    }
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      opening.lastIndex = i;
      if (depth === 1 && begin === null && opening.test(text)) {
        begin = opening.lastIndex;
        last = begin;
        depth = 2;
        i = begin - 1;
      } else i = stringEnd(text, i);
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      if (--depth === 1 && begin !== null) return { begin, end: i, cuts: [...cuts, i] };
    } else if (code === 0x2c && depth === 2 && begin !== null && i - last >= slice) {
      cuts.push(i);
      last = i;
    }
  }
  return null;
}

/** The parser's message, with its position mapped to the whole text. */
function moved(reason: string, to: (at: number) => number): string {
  return reason.replace(/at position (\d+)/, (_, at: string) => `at position ${to(Number(at))}`);
}
