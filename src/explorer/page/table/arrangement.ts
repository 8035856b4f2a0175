/** How the user has arranged a table's grid: column widths, and which columns are frozen. It is kept in this browser. */
import { useState } from 'preact/hooks';
import { isObject, parse, textOf } from '../ask/json.ts';
import { readItem, writeItem } from '../ask/storage.ts';
import type { Shown } from './widths.ts';

export interface Arrangement {
  /** Widths in pixels, by column name, for the columns that the user has resized. */
  readonly widths: Readonly<Record<string, number>>;
  /** The last frozen column; '' for none; null to freeze the column that names the records. */
  readonly frozen: string | null;
}

const [narrowest, widest] = [48, 2000];
const keyStep = 16;
/** Frozen columns must leave room for the others to scroll. */
const mostOfScreen = 0.7;

/** By how many pixels a key (Alt and an arrow) changes a column's width; 0 for other keys. */
export const stepOf = ({ altKey, ctrlKey, metaKey, key }: KeyboardEvent): number =>
  altKey && !ctrlKey && !metaKey ? ({ ArrowLeft: -keyStep, ArrowRight: keyStep }[key] ?? 0) : 0;

const keyOf = (id: string): string => `explorer grid of ${id}`;

/** Reads what was kept, as far as it is usable. */
export function arrangementOf(kept: string): Arrangement {
  const { widths = null, frozen = null } = read(kept);
  const valid = Object.entries(isObject(widths) ? widths : {}).flatMap(([name, width]) => {
    const pixels = Number(textOf(width) ?? Number.NaN);
    return pixels >= narrowest && pixels <= widest ? [[name, pixels] as const] : [];
  });
  return { widths: Object.fromEntries(valid), frozen: typeof frozen === 'string' ? frozen : null };
}

function read(kept: string) {
  try {
    const value = parse(kept || '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Sets a width, within bounds; null for the width that the values need. */
export function withWidth({ widths, frozen }: Arrangement, name: string, pixels: number | null): Arrangement {
  const { [name]: _, ...others } = widths;
  const width = pixels === null ? {} : { [name]: Math.round(Math.max(narrowest, Math.min(widest, pixels))) };
  return { widths: { ...others, ...width }, frozen };
}

/**
 * How many of the first columns do not scroll.
 * @param label the column that names the records; null if there is none
 * @param room the screen's width
 */
export function frozenCount(
  { frozen }: Arrangement,
  columns: readonly Pick<Shown, 'column' | 'width'>[],
  label: string | null,
  room: number,
): number {
  const last = columns.findIndex(({ column }) => column.name === (frozen ?? label));
  const isDefault = frozen === null && last > 0;
  let [count, width] = [0, 0];
  for (const one of columns.slice(0, isDefault ? 0 : last + 1)) {
    width += one.width;
    if (count > 0 && width > room * mostOfScreen) break;
    count += 1;
  }
  return count;
}

/** A table's arrangement, and a function that changes and keeps it. */
export function useArrangement(id: string): readonly [Arrangement, (to: Arrangement) => void] {
  const [arrangement, setArrangement] = useState(() => arrangementOf(readItem('localStorage', keyOf(id))));
  const keep = (to: Arrangement) => {
    setArrangement(to);
    writeItem('localStorage', keyOf(id), JSON.stringify(to));
  };
  return [arrangement, keep];
}
