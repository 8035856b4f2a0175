/** The width of each column, by its name and its values, and how its numbers align. */
import type { Column } from '../ask/columns.ts';
import type { Extent } from '../ask/extents.ts';

export interface Shown {
  readonly column: Column;
  /** Its place in a row. */
  readonly at: number;
  readonly width: number;
  /** Digits behind the decimal point, so that points stand below each other; 0 where they would not. */
  readonly decimals: number;
}

const [perCharacter, perDigit] = [7.8, 8.4];
const [narrowest, widest] = [72, 340];
/** Digits are never cut off: the widest number is a DECIMAL(65,30). */
const widestNumber = 640;
/** More decimals than these would push the digits out of sight. */
const mostDecimals = 8;

export function widthsOf(
  columns: readonly (readonly [Column, number])[],
  extents: readonly Extent[],
): readonly Shown[] {
  return columns.map(([column, at]) => {
    const { longest = 0, whole = 0, decimals: most = 0 } = extents[at] ?? {};
    const isNumber = column.kind === 'number';
    const decimals = isNumber && most <= mostDecimals ? most : 0;
    const characters = Math.max(
      // Beside the name is room for the button of its menu.
      column.label.length + (isNumber ? 2 : 4),
      column.type.length,
      Math.min(Math.max(longest, decimals === 0 ? 0 : whole + 1 + decimals), 70),
    );
    return {
      column,
      at,
      width: isNumber
        ? Math.round(Math.min(widestNumber, Math.max(narrowest, characters * perDigit + 44)))
        : Math.round(Math.min(widest, Math.max(narrowest, characters * perCharacter + 30))),
      decimals,
    };
  });
}

/** The decimal point and the digits that are missing behind a number; '' where nothing is. */
export function missing(text: string, decimals: number): string {
  if (decimals === 0 || !/^-?\d+(?:\.\d+)?$/.test(text)) return '';
  const own = decimalsOf(text);
  return own >= decimals ? '' : `${own === 0 ? '.' : ''}${'0'.repeat(decimals - own)}`;
}

function decimalsOf(text: string): number {
  return /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
}
