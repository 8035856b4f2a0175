/** A point's radius, from a column's value. Pure. */

const largest = 24;
const smallest = 2;

/** The radius for a value, so that areas are proportional to values. Records without a value or with a negative one get the smallest points. */
export function radiusOf(value: number, greatest: number): number {
  const share = value > 0 && greatest > 0 ? Math.sqrt(Math.min(1, value / greatest)) : 0;
  return Math.max(smallest, largest * share);
}

/** The radius if no column sets the size: smaller when there are many points. */
export const plainRadius = (points: number): number => (points > 1000 ? 2 : points > 200 ? 3 : 4.5);

/** The values that give the sizes of records: those that are numbers. */
export const sizesOf = (spots: readonly { readonly size: string | null }[]): readonly number[] =>
  spots.map(({ size }) => Number(size ?? Number.NaN)).filter(Number.isFinite);

/** Up to three round values for the legend, between those on the map. Much smaller ones than the greatest all look alike. */
export function legendValues(least: number, greatest: number): readonly number[] {
  if (!(greatest > 0)) return [];
  const from = Math.max(least, greatest / 25);
  const exponents = [-1, 0].map((one) => Math.floor(Math.log10(greatest)) + one);
  const round = exponents.flatMap((exponent) => [1, 2, 3, 5].map((part) => Number(`${part}e${exponent}`)));
  const inside = round.filter((value) => value >= from && value <= greatest);
  const values = inside.length > 1 ? inside : multiplesIn(from, greatest);
  return values.filter((_, at) => [0, values.length >> 1, values.length - 1].includes(at));
}

/** At least two multiples of 1, 2 or 5 times a power of ten; the value alone if both are equal. */
function multiplesIn(from: number, to: number): readonly number[] {
  if (from === to) return [from];
  const most = (to - from) / 2;
  const power = Math.floor(Math.log10(most));
  const step = [5, 2].map((part) => Number(`${part}e${power}`)).find((one) => one <= most) ?? Number(`1e${power}`);
  const first = Math.ceil(from / step);
  const multiples = Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
  return multiples.map((value) => Number(value.toPrecision(12)));
}
