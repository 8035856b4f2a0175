/** Each column's width, from its header and its values, and how its numbers align. */
import type { Column } from '../ask/columns.ts';
import type { Extent } from '../ask/extents.ts';
import type { Referred } from '../ask/references.ts';
import type { Look } from '../parts/looks.ts';

export interface Shown {
  readonly column: Column;
  /** The column's index in a row; -1 until the first rows arrive. */
  readonly at: number;
  readonly look: Look;
  /** Whether the values are aligned as numbers. Labels of referenced records are not. */
  readonly isNumber: boolean;
  /** Null if the column refers to no other table. */
  readonly referred: Referred | null;
  readonly width: number;
  /** Digits to reserve after the decimal point, so that points align; 0 if they should not. */
  readonly decimals: number;
  /** The largest number, for the bars that compare the values; null for no bars. */
  readonly largest: number | null;
}

/** The widths of a character in a header, of a character in a cell, and of a digit. */
const [perHead, perCharacter, perDigit] = [9.2, 8, 9];
/** Space beside a label for its icon, the sort arrow, and the menu button. */
const besideLabel = 72;
const besideValue = 30;
export const barWidth = 64;
const [narrowest, widest] = [84, 340];
/** Digits are never cut off: a DECIMAL(65,30) must fit. */
const widestNumber = 680;
/** Aligning more decimals would push numbers out of view, so such columns do not align. */
const mostDecimals = 8;
/** A link is shown without `https://`, but with an arrow. */
const schemeLength = 5;
/** The length of the longest time as text, such as `Nov 27, 2026, 11:30:00 PM`. */
const longestTime = 25;
/** The length of the longest date as text, such as `May 24, 2008`, with an allowance for wide letters. */
const longestDate = 13;

export function widthOf(
  { column, look, isNumber, largest }: Pick<Shown, 'column' | 'look' | 'isNumber' | 'largest'>,
  extent: Extent | undefined,
): Pick<Shown, 'width' | 'decimals'> {
  const { longest = 0, whole = 0, decimals: most = 0 } = extent ?? {};
  const decimals = isNumber && most <= mostDecimals ? most : 0;
  const head = Math.max(column.label.length * perHead + besideLabel, look.says.length * 6.6 + 50);
  const signs = look.isGrouped ? Math.floor(whole / 3) : 0;
  const digits = Math.max(longest + signs, decimals === 0 ? 0 : whole + signs + 1 + decimals);
  const isDate = column.type === 'date';
  const isTime = column.kind === 'time' && longest > 0;
  const characters = isTime ? Math.max(longest, isDate ? longestDate : longestTime) : longest;
  const values = isNumber
    ? Math.min(digits, 76) * perDigit + besideValue + (largest === null ? 0 : barWidth + 10)
    : Math.min(look.icon === 'link' ? characters - schemeLength : characters, 70) * perCharacter + besideValue;
  return {
    width: Math.round(Math.max(narrowest, Math.min(isNumber ? widestNumber : widest, Math.max(head, values)))),
    decimals,
  };
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
