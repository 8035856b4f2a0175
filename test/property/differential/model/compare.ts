import type { Cell, Kind } from '../table.ts';

/** Compares two values of a kind; both must not be NULL. */
export function compare(kind: Kind, a: string, b: string): number {
  switch (kind.is) {
    case 'int':
      return sign(BigInt(a) - BigInt(b));
    case 'numeric':
      return sign(BigInt(a.replace('.', '')) - BigInt(b.replace('.', '')));
    case 'double':
      return Number(a) - Number(b);
    default:
      // UTF-8 sorts in the order of code points.
      return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
}

/** Compares like PostgreSQL: NULLs come last, or first when descending, unless the sort says otherwise. */
export function compareCells(kind: Kind, a: Cell, b: Cell, descending: boolean, nullsFirst: boolean): number {
  if (a === null || b === null) return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1;
  return descending ? compare(kind, b, a) : compare(kind, a, b);
}

/** Whether one text is another one padded with blanks. MySQL's collations ignore trailing blanks, so the order of such texts differs there. */
export function padsToAnother(texts: readonly string[]): boolean {
  const padded = (text: string, length: number) => [...text, ...' '.repeat(length)].slice(0, length).join('');
  const sorted = [...new Set(texts)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sorted.some((text, i) => {
    const next = sorted[i + 1];
    if (next === undefined) return false;
    const length = Math.max(text.length, next.length);
    return Buffer.compare(Buffer.from(padded(text, length)), Buffer.from(padded(next, length))) >= 0;
  });
}

const sign = (n: bigint) => (n < 0n ? -1 : n > 0n ? 1 : 0);
