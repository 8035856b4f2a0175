/** Pure. Parses JSON without losing a digit (docs/data-types.md). */
import { LosslessNumber, stringify } from 'lossless-json';
import { malformed } from '../model/errors.ts';
import type { Json, JsonObject } from '../model/value.ts';
import { scan, stringEnd } from './json-scan.ts';
import { atOnce, type Steps } from './slices.ts';
import { truncate } from './truncate.ts';

/** The parsed value, or why the text is not JSON. (JSON beyond our limits throws a Refusal instead.) */
export type Parsed = { readonly value: Json } | { readonly reason: string };

/**
 * Reads text that must be JSON.
 * @param maxDepth limit of nested arrays and objects
 * @throws Refusal malformed, in CKAN's wording, for text that is not JSON, too deep nesting, too many values, or a duplicate key
 */
export function parseJson(text: string, maxDepth: number): Json {
  return valueOrRefusal(readJson(text, maxDepth));
}

/** The parsed value. @throws Refusal malformed if the text was not JSON */
export function valueOrRefusal(parsed: Parsed): Json {
  if ('value' in parsed) return parsed.value;
  throw malformed(
    `JSON Error: Error decoding JSON data. Error: JSONDecodeError('${parsed.reason}') ` +
      'JSON data extracted from the request: {}',
  );
}

/**
 * Reads text that may be JSON. A number that a double would print differently becomes a `LosslessNumber`.
 * To keep these numbers through `JSON.parse`, we first turn each into a string with a random prefix.
 * (`lossless-json` parses character by character, which took 3.5 s for ten megabytes.)
 * @throws Refusal malformed for JSON that is too deep, has too many values, or has an ambiguous duplicate key
 */
export function readJson(source: string, maxDepth: number): Parsed {
  return atOnce(jsonIn(source, maxDepth));
}

/** Like `readJson`, but in steps. For ten megabytes of text, or 40,000 exact numbers, each step takes some ten milliseconds. */
export function* jsonIn(source: string, maxDepth: number): Steps<Parsed> {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const { members, respelled } = scan(text, maxDepth);
  yield;
  const parsed = (yield* exact(text, respelled)) ?? native(text);
  if ('reason' in parsed) return parsed;
  yield;
  if (membersIn(parsed.value) !== members) throw malformed(`JSON Error: duplicate key ${duplicateKey(text)}`);
  // Callers continue in a fresh turn of the event loop, so this step does not add to their slice.
  yield;
  return parsed;
}

/**
 * Parses text with numbers that a double would print differently. Null if there are none, or if the text is not JSON.
 * @param ends where each such number starts and ends, from `scan`
 */
function* exact(text: string, ends: readonly number[]): Steps<Parsed | null> {
  if (ends.length === 0) return null;
  const mark = crypto.randomUUID().slice(24);
  const all = marked(text, ends, mark);
  yield;
  try {
    const read: Fresh[] = [JSON.parse(all)];
    yield;
    // `{1.50: 1}` and `[1.5.0]` are not JSON. In the first, the marked string is a key and is not counted; in the second, it is no number.
    return unmark(read, mark) * 2 === ends.length ? { value: read[0] ?? null } : null;
  } catch {
    return null;
  }
}

function native(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // V8's message, which varies with Node's version. If the text is only a part of a body, the message's line and column would be wrong.
    return { reason: error instanceof Error ? error.message.replace(/ \(line \d+ column \d+\)$/, '') : 'not JSON' };
  }
}

/** A freshly parsed value, which may be modified, because nothing else refers to it. */
type Fresh = Exclude<Json, object> | LosslessNumber | Fresh[] | { [name: string]: Fresh };

/** Replaces each number that `scan` found by a string that begins with `mark`. */
function marked(text: string, ends: readonly number[], mark: string): string {
  let all = '';
  let last = 0;
  let isNumber = false;
  for (const end of ends) {
    all += isNumber ? `"${mark}${text.slice(last, end)}"` : text.slice(last, end);
    last = end;
    isNumber = !isNumber;
  }
  return all + text.slice(last);
}

/** Replaces the marked strings by their numbers, and counts them. The mark is random, so that no client's string can begin with it. */
function unmark(inside: Fresh[] | { [name: string]: Fresh }, mark: string): number {
  let count = 0;
  const place = (member: Fresh): LosslessNumber | null => {
    if (typeof member === 'string' && member.startsWith(mark)) {
      count++;
      return new LosslessNumber(member.slice(mark.length));
    }
    if (typeof member === 'object' && member !== null && !(member instanceof LosslessNumber))
      count += unmark(member, mark);
    return null;
  };
  if (Array.isArray(inside)) {
    for (const [at, item] of inside.entries()) inside[at] = place(item) ?? item;
    return count;
  }
  for (const name in inside) {
    const number = place(inside[name] ?? null);
    // A member `__proto__` is an own property here, so assigning to it is safe.
    if (number !== null) inside[name] = number;
  }
  return count;
}

/** A value as JSON text, with every digit that we received. It only uses `lossless-json`, which is slow, for a `LosslessNumber`. */
export function toJson(value: Json): string {
  return (isExact(value) ? JSON.stringify(value) : stringify(value)) ?? 'null';
}

function isExact(value: Json): boolean {
  if (isList(value)) return value.every(isExact);
  if (!isObject(value)) return !(value instanceof LosslessNumber);
  for (const name in value) if (!isExact(value[name] ?? null)) return false;
  return true;
}

/** Counts members. `for in` is ten times as fast as `Object.entries`, and safe: `JSON.parse` creates objects without inherited members. */
function membersIn(value: Json): number {
  let count = 0;
  if (isList(value)) for (const item of value) count += membersIn(item);
  else if (isObject(value)) for (const name in value) count += 1 + membersIn(value[name] ?? null);
  return count;
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return (
    value !== undefined &&
    value !== null &&
    typeof value === 'object' &&
    !isList(value) &&
    !(value instanceof LosslessNumber)
  );
}

/** Parses the text of a JSON object; null for any other text, and for an object that `parseJson` refuses. */
export function objectIn(text: string, maxDepth: number): JsonObject | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const parsed = parseJson(text, maxDepth);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** The first duplicate key in an object of valid JSON. (`lossless-json` accepts duplicates with equal values.) */
function duplicateKey(text: string): string {
  const open: Set<string>[] = [];
  const colon = /[ \t\r\n]*:/y;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '{') open.push(new Set());
    else if (char === '}') open.pop();
    else if (char === '"') {
      const start = i;
      i = stringEnd(text, start);
      colon.lastIndex = i + 1;
      if (!colon.test(text)) continue;
      const key = JSON.stringify(JSON.parse(text.slice(start, i + 1)));
      if (open.at(-1)?.has(key)) return truncate(key);
      open.at(-1)?.add(key);
    }
  }
  return 'in an object';
}
