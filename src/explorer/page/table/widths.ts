/** The width of each column, from its name and its values, and how its numbers align. */
import type { Column } from '../ask/columns.ts';
import type { Extent } from '../ask/extents.ts';

export interface Shown {
  readonly column: Column;
  /** Index of the column in a row. */
  readonly at: number;
  readonly width: number;
  /** Digits to reserve after the decimal point, so that points align; 0 if they should not. */
  readonly decimals: number;
}

const [perCharacter, perDigit] = [7.8, 8.4];
const [narrowest, widest] = [72, 340];
/** Digits are never cut off: a DECIMAL(65,30) must fit. */
const widestNumber = 640;
/** With more decimals, numbers would be pushed out of view, so they do not align. */
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
      // The column header also needs space for the menu button.
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

/** Invisible filler after a number: the decimal point and zeros that it lacks to align with the others; '' if none. */
export function missing(text: string, decimals: number): string {
  if (decimals === 0 || !/^-?\d+(?:\.\d+)?$/.test(text)) return '';
  const decimalCount = decimalsOf(text);
  return decimalCount >= decimals ? '' : `${decimalCount === 0 ? '.' : ''}${'0'.repeat(decimals - decimalCount)}`;
}

function decimalsOf(text: string): number {
  return /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
}
