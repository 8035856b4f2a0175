/** Positions of the write-ahead log behind which transactions began. */
import { positionOf } from './position.ts';

/** A transaction with this number, or a higher one, writes behind the position. */
export interface WalMark {
  readonly next: string;
  readonly position: string;
}

/** The most bytes that are read at once: that takes the server 50 milliseconds at most. */
export const readable = 2 ** 20;
/** Marks are at least so many bytes apart, but for the last. */
const apart = readable / 64;

/** The last position before all records of these transactions; null where none is known. */
export function startFor(ids: readonly string[], marks: readonly WalMark[]): string | null {
  const first = ids.map(BigInt).reduce((least, id) => (id < least ? id : least), BigInt(2) ** 64n);
  return marks.findLast(({ next }) => BigInt(next) <= first)?.position ?? null;
}

/** @returns the marks that may still serve, with this one as the last */
export function after(marks: readonly WalMark[], mark: WalMark): readonly WalMark[] {
  const at = ({ position }: WalMark) => positionOf(position) ?? Number.NEGATIVE_INFINITY;
  const [older, last] = [marks.at(-2), marks.at(-1)];
  const isClose = older !== undefined && last !== undefined && at(last) - at(older) < apart;
  return [...(isClose ? marks.slice(0, -1) : marks).filter((one) => at(mark) - at(one) <= readable), mark];
}
