import fc from 'fast-check';
import { plain } from './model/show.ts';
import { number, type Sent } from './sent.ts';
import type { Kind } from './table.ts';

/** Different spellings of a stored value. */
export function spelled(kind: Kind, cell: string): fc.Arbitrary<Sent> {
  switch (kind.is) {
    case 'int':
      return fc.constantFrom<Sent>(
        number(cell),
        number(cell),
        cell,
        number(`${cell}.0`),
        number(`${cell}.0e0`),
        number(`${cell}E+0`),
      );
    case 'numeric': {
      const more = cell.includes('.') ? `${cell}00` : `${cell}.00`;
      return fc.constantFrom<Sent>(
        number(cell),
        number(cell),
        cell,
        number(more),
        more,
        number(`${cell}e0`),
        number(bare(cell)),
      );
    }
    case 'double':
      return fc.constantFrom<Sent>(number(cell), number(cell), cell, plain(kind, cell), number(plain(kind, cell)));
    case 'boolean':
      return fc.constantFrom<Sent>(cell === 'true', cell === 'true', cell, cell.slice(0, 1));
    case 'bytes':
      return fc.constantFrom(`\\x${cell}`, `\\x${cell.toUpperCase()}`);
    case 'date':
      return fc.constantFrom(cell, cell, `${cell}T00:00:00`, `${cell} 00:00`, `${cell}T00:00:00.000Z`);
    case 'time':
      return fc.constantFrom(plain(kind, cell), plain(kind, cell), cell, shortTime(cell));
    case 'timestamp': {
      const blank = cell.replace('T', ' ');
      return fc.constantFrom(
        plain(kind, cell),
        plain(kind, cell),
        cell,
        blank,
        `${cell}Z`,
        `${blank}000Z`,
        shortTime(cell),
        cell.replace(/T00:00:00\.000000$/, ''),
      );
    }
    default:
      return /^-?(0|[1-9]\d{0,9})$/.test(cell) && cell !== '-0'
        ? fc.constantFrom<Sent>(cell, number(cell))
        : fc.constant(cell);
  }
}

const shortTime = (cell: string) => cell.replace(/\.?0+$/, '').replace(/(?<=:\d\d):00$/, '');
const bare = (cell: string) => (cell.includes('.') ? cell.replace(/\.?0+$/, '') : cell);
