/** A large body → its value, a slice of its records at a time: in between, others are answered. */
import { isList, isObject, type Parsed, readJson, stringEnd } from '../json.ts';
import type { Json } from '../value.ts';

/** Characters that are read at a time: of the worst of texts they take some 20 ms. */
const atOnce = 32_768;
const name = 'records';
/** Around each slice, so that it nests as deep as in the whole. */
const [before, after] = [`{"${name}":[`, ']}'];

/**
 * Reads text that may be JSON as `readJson` does, which answers nobody until it is done. Many values can only be the records of a
 * write: those are read in slices, and what is beside them, or is one of them, has a bound.
 * @throws Refusal malformed as `readJson`
 */
export async function readLarge(source: string, maxDepth: number, slice = atOnce): Promise<Parsed> {
  const list = source.length <= slice ? null : recordsIn(source, slice);
  if (list === null) return readJson(source, maxDepth);
  const { begin, end } = list;
  const rest = readJson(source.slice(0, begin) + source.slice(end), maxDepth);
  if ('reason' in rest) return { reason: moved(rest.reason, (at) => (at < begin ? at : at + end - begin)) };
  const records: Json[] = [];
  let from = begin;
  for (const to of list.cuts) {
    await new Promise((others) => setImmediate(others));
    const part = readJson(before + source.slice(from, to) + after, maxDepth);
    if ('reason' in part) return { reason: moved(part.reason, (at) => from + at - before.length) };
    const read = isObject(part.value) ? (part.value[name] ?? null) : null;
    // A comma with nothing before or behind it.
    if (!isList(read) || read.length === 0)
      return { reason: `Unexpected token ${source[to]} in JSON at position ${to}` };
    for (const record of read) records.push(record);
    from = to + 1;
  }
  return isObject(rest.value) ? { value: { ...rest.value, [name]: records } } : rest;
}

interface Cut {
  readonly begin: number;
  readonly end: number;
  /** Where each slice ends: at a comma, the last one at the end. */
  readonly cuts: readonly number[];
}

/** Where the list of records of a call stands; null where it is not worth cutting. */
function recordsIn(text: string, slice: number): Cut | null {
  const opening = new RegExp(`"${name}"\\s*:\\s*\\[`, 'y');
  const cuts: number[] = [];
  let depth = 0;
  let begin: number | null = null;
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      opening.lastIndex = i;
      if (depth === 1 && opening.test(text)) {
        begin = opening.lastIndex;
        last = begin;
        depth = 2;
        i = begin - 1;
      } else i = stringEnd(text, i);
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      if (--depth === 1 && begin !== null) return cuts.length === 0 ? null : { begin, end: i, cuts: [...cuts, i] };
    } else if (code === 0x2c && depth === 2 && begin !== null && i - last >= slice) {
      cuts.push(i);
      last = i;
    }
  }
  return null;
}

/** The place in a complaint of the parser, as it is in the whole text. */
function moved(reason: string, to: (at: number) => number): string {
  return reason.replace(/at position (\d+)/, (_, at: string) => `at position ${to(Number(at))}`);
}
