/** The radius of a point by the value of a column. Pure. */

const largest = 24;
const smallest = 2;

/** The radius of a value, so that areas compare like values. Values below zero, and records without a value, are the smallest points. */
export function radiusOf(value: number, greatest: number): number {
  const share = value > 0 && greatest > 0 ? Math.sqrt(Math.min(1, value / greatest)) : 0;
  return Math.max(smallest, largest * share);
}

/** The radius without a column: smaller where there are many points. */
export const plainRadius = (points: number): number => (points > 1000 ? 2 : points > 200 ? 3 : 4.5);

/** Up to three values for the legend, with few digits. */
export function legendValues(greatest: number): readonly number[] {
  if (!(greatest > 0)) return [];
  return [...new Set([greatest / 25, greatest / 4, greatest].map(niceBelow))];
}

/** The greatest of 1, 2, 3 and 5 times a power of ten that is not above a value. */
function niceBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const part = [5, 3, 2, 1].find((one) => one * power <= value * (1 + 1e-9)) ?? 1;
  return Number((part * power).toPrecision(1));
}
