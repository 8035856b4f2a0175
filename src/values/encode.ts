/** Encodes a driver's cells as text. All engines share the encoders, so that equal values give equal bytes (docs/data-types.md). */

import { OutsideFlag } from '../model/errors.ts';
import type { Encoder } from '../model/rows.ts';
import type { Type } from '../model/table.ts';
import type { Cell } from '../model/value.ts';
import { parseArray, parseVector } from './encode-array.ts';
import { write, writeJson } from './encode-bytes.ts';
import { shortestFloat32 } from './float32.ts';

/** Most texts need no escaping, and finding that out takes half the time of `JSON.stringify`. */
const quoted = (text: string): string => (/["\\\p{Cc}\p{Cs}]/u.test(text) ? JSON.stringify(text) : `"${text}"`);

/** Returns a function that creates each type's encoder only once, because every API call needs the encoders of all its columns. */
export function encoders(): (type: Type) => Encoder {
  const cache = new WeakMap<Type, Encoder>();
  return (type) => {
    const cached = cache.get(type) ?? encoder(type);
    cache.set(type, cached);
    return cached;
  };
}

/** Creates the encoder of a type. Its `plain` returns the value as text without quotes, its `copy` what PostgreSQL's COPY writes. */
export function encoder(type: Type): Encoder {
  const [copied, json] = [write(type), writeJson(type)];
  return { ...textual(type), ...(copied && { write: copied }), ...(json && { writeJson: json }) };
}

function textual(type: Type): Encoder {
  switch (type.kind) {
    case 'int':
      // A YEAR arrives as a number, or as the bytes of its two or four digits.
      return bare(type.zero ? (cell) => (cell === null ? null : String(Number(text(cell)))) : text);
    case 'decimal':
      return number(text);
    case 'float':
      return number((cell) => (cell === null ? null : floatText(Number(text(cell)), type.bits)));
    case 'bool':
      // PostgreSQL's t and f, or an integer that is shown as a boolean; a BIGINT comes as text.
      return {
        plain: flag,
        json: (cell) => shownFlag(cell) ?? 'null',
        copy: (cell) => shownFlag(cell)?.charAt(0) ?? null,
      };
    case 'text':
      return type.padded ? string((cell) => unpad(text(cell))) : string(text);
    case 'date':
      return string((cell) => notZero(text(cell)));
    case 'timestamp':
      return type.zoned
        ? { ...string((cell) => timestamp(text(cell), 0)), copy: text }
        : string((cell) => timestamp(notZero(text(cell)), type.least ?? 3));
    case 'time':
      return string((cell) => withoutZeros(text(cell)));
    case 'json':
      return document(text);
    case 'binary':
      return string((cell) => (cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : text(cell)));
    case 'bits': {
      const bits = (cell: Cell) => (cell instanceof Uint8Array ? bitString(cell, type.length ?? 0) : text(cell));
      return type.length === 1 && !type.varying ? bare(bits) : string(bits);
    }
    case 'array': {
      // As in CKAN, timestamps in arrays are not padded to milliseconds.
      const element = type.of.kind === 'timestamp' ? string((cell) => timestamp(text(cell), 0)) : encoder(type.of);
      const parse = type.vector === undefined ? parseArray : parseVector;
      const array = (cell: Cell) => (cell === null ? null : parse(text(cell) ?? '', element));
      return document(array);
    }
    default:
      return string(text);
  }
}

/**
 * Encodes a full-text rank: the engine's result as a float4, scaled below 1 like PostgreSQL's normalization 32. So on PostgreSQL, ranks
 * equal CKAN's to the last digit.
 */
export const rankEncoder: Encoder = number((cell) => {
  const computed = Math.fround(Number(text(cell)));
  return floatText(Math.fround(computed / Math.fround(computed + 1)), 32);
});

function text(cell: Cell): string | null {
  if (cell === null || typeof cell === 'string') return cell;
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('utf8') : String(cell);
}

function string(plain: (cell: Cell) => string | null): Encoder {
  return {
    ...(plain === text ? { long: 'text' as const } : {}),
    plain,
    copy: plain,
    json(cell) {
      const shown = plain(cell);
      return shown === null ? 'null' : quoted(shown);
    },
  };
}

/** The encoder for values whose text already is JSON. */
function bare(plain: (cell: Cell) => string | null): Encoder {
  return { plain, copy: plain, json: (cell) => plain(cell) ?? 'null' };
}

/** The encoder for JSON values. CSV also shows them as JSON, and NULL as the word `null`. */
function document(plain: (cell: Cell) => string | null): Encoder {
  const json = (cell: Cell) => plain(cell) ?? 'null';
  return { ...(plain === text ? { long: 'json' as const } : {}), plain, copy: json, json };
}

/** The text of a boolean. Stored numbers other than 0 and 1 stay as they are, and equal neither true nor false. */
function flag(cell: Cell): string | null {
  const stored = text(cell);
  return stored === '1' || stored === 't' ? 'true' : stored === '0' || stored === 'f' ? 'false' : stored;
}

function shownFlag(cell: Cell): string | null {
  const shown = flag(cell);
  if (shown !== null && shown !== 'true' && shown !== 'false') throw new OutsideFlag(shown);
  return shown;
}

/** The encoder for numbers. Digits stay unchanged. JSON has no NaN and no infinities, so these become strings, as in CKAN. */
function number(plain: (cell: Cell) => string | null): Encoder {
  return {
    plain,
    copy: plain,
    json(cell) {
      const shown = plain(cell);
      if (shown === null) return 'null';
      // NaN and the infinities end in a letter, numbers in a digit.
      return shown.charCodeAt(shown.length - 1) > 57 ? quoted(shown) : shown;
    },
  };
}

/** A double as PostgreSQL writes it: with the fewest digits that identify it, and with an exponent below 1e-4 or from 1e15 (float4: 1e6). */
function floatText(double: number, bits: 32 | 64): string {
  if (!Number.isFinite(double)) return String(double);
  const shortest = bits === 32 ? shortestFloat32(double) : double;
  const [mantissa = '', exponent = ''] = shortest.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < (bits === 32 ? 6 : 15)) return Object.is(shortest, -0) ? '-0' : String(shortest);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function unpad(padded: string | null): string | null {
  if (padded === null) return null;
  let end = padded.length;
  while (end > 0 && padded.charCodeAt(end - 1) === 32) end--;
  return padded.slice(0, end);
}

/** MySQL's zero date becomes null. */
function notZero(shown: string | null): string | null {
  return shown?.startsWith('0000-00-00') ? null : shown;
}

function withoutZeros(shown: string | null): string | null {
  return shown?.includes('.') ? shown.replace(/\.?0+$/, '') : shown;
}

/** `2020-01-02 03:04:05.5` → `2020-01-02T03:04:05.500`; with a zone `…T03:04:05.5+00:00`. */
function timestamp(shown: string | null, leastDigits: number): string | null {
  // Nearly all timestamps have a year of four digits, and a fraction of three digits or none: they need no regular expression.
  const isUsual = leastDigits === 3 && shown?.[10] === ' ' && (shown.length === 19 || shown[shown.length - 4] === '.');
  if (isUsual) return `${shown.slice(0, 10)}T${shown.slice(11)}${shown.length === 19 ? '.000' : ''}`;
  const match =
    shown === null ? null : /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-]\d\d)?(?::?(\d\d))?( BC)?$/.exec(shown);
  if (match === null) return shown;
  const [, date = '', time = '', fraction = '', hours, minutes = '00', era = ''] = match;
  const digits = fraction.replace(/0+$/, '').padEnd(leastDigits, '0');
  const zone = hours === undefined ? '' : `${hours}:${minutes}`;
  return `${date}T${time}${digits === '' ? '' : `.${digits}`}${zone}${era}`;
}

function bitString(bytes: Uint8Array, length: number): string {
  const all = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return all.slice(-length).padStart(length, '0');
}
