/** JSON calls with many records: the other parameters are parsed first, and the records later, in slices. */

import type { Json } from '../model/value.ts';
import { isList, isObject, jsonIn, type Parsed, readJson, valueOrRefusal } from '../values/json.ts';
import { stringEnd } from '../values/json-scan.ts';
import { inSlices, type Steps } from '../values/slices.ts';
import { tooLarge } from './body.ts';

export interface JsonReading {
  /** The deepest nesting of arrays and objects that is read. */
  readonly depth: number;
  /** The limit of characters for everything except the records; a shorter text is parsed in one go. */
  readonly questionBytes: number;
}

/** A parsed call; the records of a large one are still to be read. */
export interface LargeCall {
  readonly parsed: Parsed;
  /** Reads the records; null if `parsed` already has them. @throws Refusal malformed for invalid JSON */
  readonly records: (() => Promise<readonly Json[]>) | null;
}

const listName = 'records';
/** Wrapped around each slice, so that the records nest as deep as in the whole text, and the limit `depth` applies equally. */
const [before, after] = [`{"${listName}":[`, ']}'];
/** The characters that are parsed in one step, and that are scanned in one step. */
const [sliceCharacters, scanCharacters] = [65_536, 262_144];

/**
 * Reads text that may be JSON. Only the list `records` of the outermost object may be longer than `questionBytes`; that list is
 * read later, after the permission check, so that a caller who may not write costs little.
 * @throws Refusal malformed for invalid JSON; tooLarge (413), before any parser runs, if the rest is over `questionBytes`
 */
export async function readLarge(
  text: string,
  { depth, questionBytes }: JsonReading,
  slice = sliceCharacters,
): Promise<LargeCall> {
  if (text.length <= questionBytes) return { parsed: await inSlices(jsonIn(text, depth)), records: null };
  const list = await inSlices(recordsIn(text, slice));
  if (list === null || text.length - (list.end - list.begin) > questionBytes)
    throw tooLarge({ bytes: questionBytes, setting: 'questionBytes' });
  const { begin, end } = list;
  const rest = readJson(text.slice(0, begin) + text.slice(end), depth);
  if ('reason' in rest)
    return {
      parsed: { reason: withPosition(rest.reason, (at) => (at < begin ? at : at + end - begin)) },
      records: null,
    };
  return { parsed: rest, records: () => inSlices(records(text, list, depth)) };
}

function* records(text: string, { begin, cuts }: List, depth: number): Steps<readonly Json[]> {
  const all: Json[] = [];
  let from = begin;
  for (const to of cuts) {
    yield;
    const part = yield* jsonIn(before + text.slice(from, to) + after, depth);
    if ('reason' in part) valueOrRefusal({ reason: withPosition(part.reason, (at) => from + at - before.length) });
    const read = 'value' in part && isObject(part.value) ? (part.value[listName] ?? null) : null;
    // An empty slice comes from a stray comma, as in `[,1]`.
    if (!isList(read) || read.length === 0)
      valueOrRefusal({ reason: `Unexpected token ${text[to]} in JSON at position ${to}` });
    else for (const record of read) all.push(record);
    from = to + 1;
  }
  // Callers continue in a fresh turn of the event loop, after the parsing of the last slice.
  yield;
  return all;
}

/** Where the records are in the text. */
interface List {
  readonly begin: number;
  readonly end: number;
  /** The end of each slice: the position of a comma, and for the last slice the end of the list. */
  readonly cuts: readonly number[];
}

/** Finds the list of records of a call; null if the outermost object has none. */
function* recordsIn(text: string, slice: number): Steps<List | null> {
  const opening = new RegExp(`"${listName}"\\s*:\\s*\\[`, 'y');
  const cuts: number[] = [];
  let depth = 0;
  let begin: number | null = null;
  let last = 0;
  let nextPause = scanCharacters;
  for (let i = 0; i < text.length; i++) {
    if (i >= nextPause) {
      yield;
      nextPause = i + scanCharacters;
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
function withPosition(reason: string, toWhole: (at: number) => number): string {
  return reason.replace(/at position (\d+)/, (_, at: string) => `at position ${toWhole(Number(at))}`);
}
