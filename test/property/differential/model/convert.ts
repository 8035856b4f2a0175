import { type Digits, isDigits, type Sent } from '../sent.ts';
import type { Cell, Kind } from '../table.ts';
import { decimal, fixed } from './decimal.ts';
import { fractionOf, isLongTime, isPartialDate, readDate, readTime, readTimestamp } from './times.ts';

/** `beyond`: of the right kind, but it does not fit into the column. `wrong`: of another kind. */
export type Converted = { readonly cell: Cell } | 'beyond' | 'wrong';

/** Converts a filter's value to the type of the column. */
export function forFilter(kind: Kind, sent: Sent): Converted {
  return sent === null ? { cell: null } : convert(kind, sent);
}

/** Converts a record's value. Differs from filters in two ways: `""` is NULL except in text columns, and CHAR loses its trailing blanks. */
export function forRecord(kind: Kind, sent: Sent): Converted {
  if (sent === null) return { cell: null };
  if (sent === '' && !['text', 'varchar', 'char'].includes(kind.is)) return { cell: null };
  const converted = convert(kind, sent);
  if (kind.is !== 'char' || typeof converted === 'string') return converted;
  return { cell: converted.cell?.replace(/ +$/, '') ?? null };
}

function convert(kind: Kind, sent: Exclude<Sent, null>): Converted {
  if (isDigits(sent)) return fromNumber(kind, sent);
  if (typeof sent === 'boolean') return kind.is === 'boolean' ? { cell: String(sent) } : fromBoolean(kind, sent);
  return typeof sent === 'string' ? fromText(kind, sent) : 'wrong';
}

function fromBoolean(kind: Kind, sent: boolean): Converted {
  return isText(kind) ? textual(kind, String(sent)) : 'wrong';
}

function fromNumber(kind: Kind, { digits }: Digits): Converted {
  if (isText(kind)) return textual(kind, digits);
  return ['int', 'numeric', 'double'].includes(kind.is) ? numeric(kind, digits) : 'wrong';
}

function fromText(kind: Kind, text: string): Converted {
  switch (kind.is) {
    case 'text':
    case 'varchar':
    case 'char':
      return textual(kind, text);
    case 'int':
    case 'numeric':
    case 'double':
      return numeric(kind, text);
    case 'boolean':
      return boolean(text);
    case 'bytes':
      return /^\\x(?:[0-9a-f]{2})*$/i.test(text) ? { cell: text.slice(2).toLowerCase() } : 'wrong';
    case 'date': {
      const read = readTimestamp(text);
      if (read === null) return isPartialDate(text) ? 'beyond' : 'wrong';
      return /[1-9]/.test(read.time + read.fraction) ? 'beyond' : { cell: readDate(read.date) };
    }
    case 'timestamp': {
      const read = readTimestamp(text);
      if (read === null) return isPartialDate(text) ? 'beyond' : 'wrong';
      const fraction = fractionOf(read.fraction, kind.digits);
      return fraction === null ? 'beyond' : { cell: `${read.date}T${read.time}.${fraction}` };
    }
    case 'time': {
      const read = readTime(text.replace(/Z$/, '').replace(/^(?=\d:)/, '0'));
      if (read === null) return isLongTime(text) ? 'beyond' : 'wrong';
      const fraction = fractionOf(read.fraction, kind.digits);
      return fraction === null ? 'beyond' : { cell: `${read.time}.${fraction}` };
    }
  }
}

/** The spellings of booleans that PostgreSQL accepts. */
function boolean(text: string): Converted {
  if (/^(?:true|t|yes|y|on|1)$/i.test(text)) return { cell: 'true' };
  return /^(?:false|f|no|n|off|0)$/i.test(text) ? { cell: 'false' } : 'wrong';
}

function numeric(kind: Kind, text: string): Converted {
  const read = decimal(text);
  if (read === null) return 'wrong';
  if (kind.is === 'double') {
    const value = Number(text);
    const fits = Number.isFinite(value) && (value !== 0 || read.coefficient === 0n);
    return fits ? { cell: Object.is(value, -0) ? '-0' : String(value) } : 'beyond';
  }
  const [whole, scale] = kind.is === 'numeric' ? [kind.precision - kind.scale, kind.scale] : [19, 0];
  const cell = fixed(read, whole, scale);
  if (cell === null) return 'beyond';
  return kind.is === 'int' && BigInt.asIntN(kind.bits, BigInt(cell)) !== BigInt(cell) ? 'beyond' : { cell };
}

function textual(kind: Kind, text: string): Converted {
  // Not every engine can store a lone surrogate or NUL in text.
  if (!text.isWellFormed() || text.includes('\0')) return 'beyond';
  const length = kind.is === 'varchar' || kind.is === 'char' ? kind.length : Number.POSITIVE_INFINITY;
  return [...text].length > length ? 'beyond' : { cell: text };
}

const isText = ({ is }: Kind) => is === 'text' || is === 'varchar' || is === 'char';
