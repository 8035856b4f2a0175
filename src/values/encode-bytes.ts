/** A cell's bytes → the bytes of CSV or JSON, without creating a string. The result is the same as that of `encode.ts`. */
import type { Write } from '../model/rows.ts';
import type { Type } from '../model/table.ts';

const [zero, nine, dot, minus, blank] = [0x30, 0x39, 0x2e, 0x2d, 0x20];
const [letterF, letterT, letterLargeT] = [0x66, 0x74, 0x54];
const [quote, backslash, firstPlain] = [0x22, 0x5c, 0x20];

/** Returns a function that writes a cell as JSON; null for types that always need the string encoder of `encode.ts`. */
export function writeJson(type: Type): Write | null {
  switch (type.kind) {
    case 'int':
      return type.zero ? null : same;
    case 'decimal':
      return digits;
    case 'bool':
      return truth;
    case 'float':
      return write(type);
    case 'json':
      return same;
    case 'timestamp':
      return type.zoned || type.least === 0 ? null : quoted(timestamp);
    default: {
      const plain = write(type);
      return plain && quoted(plain);
    }
  }
}

/** Returns a function that writes a cell as COPY does; null for types that always need the string encoder of `encode.ts`. */
export function write(type: Type): Write | null {
  switch (type.kind) {
    case 'int':
      // A YEAR arrives with all its digits, even if they are zeros, but the API shows it as a number.
      return type.zero ? null : same;
    case 'bool':
      return flag;
    case 'text':
      return type.padded ? unpadded : same;
    case 'date':
      return date;
    case 'timestamp':
      if (type.zoned) return same;
      return type.least === 0 ? null : timestamp;
    case 'time':
      return time;
    case 'float':
      return type.bits === 64 ? usualDouble : null;
    case 'binary':
    case 'bits':
    case 'array':
      return null;
    default:
      return same;
  }
}

const same: Write = (from, start, end, to, at) => {
  // `set` only pays off for long cells. Most are short, and for these the loop below is faster.
  if (end - start > 100) {
    to.set(from.subarray(start, end), at);
    return at + end - start;
  }
  for (; start < end; start++) to[at++] = from[start] ?? 0;
  return at;
};

const unpadded: Write = (from, start, end, to, at) => {
  while (end > start && from[end - 1] === blank) end--;
  return same(from, start, end, to, at);
};

/** Writes a boolean from PostgreSQL's t and f, or from 1 and 0. Returns -1 for other numbers, which go to the string encoder. */
const flag: Write = (from, start, end, to, at) => {
  const byte = from[start];
  const isTrue = byte === letterT || byte === zero + 1;
  if (end - start !== 1 || !(isTrue || byte === letterF || byte === zero)) return -1;
  to[at] = isTrue ? letterT : letterF;
  return at + 1;
};

const isTrue = Buffer.from('true');
const isFalse = Buffer.from('false');
const truth: Write = (from, start, end, to, at) => {
  if (flag(from, start, end, to, at) === -1) return -1;
  const word = to[at] === letterT ? isTrue : isFalse;
  return same(word, 0, word.length, to, at);
};

/** Copies a number. Returns -1 for NaN and the infinities, which end in a letter, because JSON has them as strings. */
const digits: Write = (from, start, end, to, at) => ((from[end - 1] ?? 0) > nine ? -1 : same(from, start, end, to, at));

/**
 * Copies a double that is already in its shortest spelling: up to fifteen digits, no trailing zeros. Returns -1 for any other, such as one
 * with an exponent. Parsing and printing a double would take fifty times as long.
 */
const usualDouble: Write = (from, start, end, to, at) => {
  if (end - start > 15) return -1;
  let hasDot = false;
  for (let nth = start; nth < end; nth++) {
    const byte = from[nth] ?? 0;
    if (byte > nine) return -1;
    hasDot ||= byte === dot;
  }
  const first = from[start] === minus ? start + 1 : start;
  const isBelowOne = from[first] === zero && end - first > 1;
  if (isBelowOne && (from[first + 1] !== dot || from[first + 2] === zero)) return -1;
  return hasDot && from[end - 1] === zero ? -1 : same(from, start, end, to, at);
};

/** 1 for the bytes that JSON strings escape. */
const escaped = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < firstPlain || byte === quote || byte === backslash ? 1 : 0,
);

const quoted =
  (write: Write): Write =>
  (from, start, end, to, at) => {
    const stop = write(from, start, end, to, at + 1);
    let special = stop === -1 ? 1 : 0;
    for (let nth = at + 1; nth < stop; nth++) special |= escaped[to[nth] ?? 0] ?? 0;
    if (special === 1) return -1;
    to[at] = quote;
    to[stop] = quote;
    return stop + 1;
  };

/** Whether the month is 00, as in the zero date and some other dates of MySQL. */
const hasNoMonth = (from: Uint8Array, start: number): boolean => from[start + 5] === zero && from[start + 6] === zero;

const date: Write = (from, start, end, to, at) => (hasNoMonth(from, start) ? -1 : same(from, start, end, to, at));

/** Copies a time. Returns -1 if its fraction ends in a zero; a time shorter than ten characters has no fraction. */
const time: Write = (from, start, end, to, at) =>
  end - start < 10 || from[end - 1] !== zero ? same(from, start, end, to, at) : -1;

/** `2020-01-02 03:04:05.5` → `2020-01-02T03:04:05.500`. Returns -1 for infinity, for BC, and for years without four digits. */
const timestamp: Write = (from, start, end, to, at) => {
  const length = end - start;
  const isUsual = length >= 19 && from[start + 10] === blank && (from[end - 1] ?? 0) <= nine;
  if (!isUsual || (length > 19 && from[start + 19] !== dot) || hasNoMonth(from, start)) return -1;
  let stop = same(from, start, end, to, at);
  to[at + 10] = letterLargeT;
  if (length === 19) to[stop++] = dot;
  while (stop < at + 23) to[stop++] = zero;
  while (stop > at + 23 && to[stop - 1] === zero) stop--;
  return stop;
};
