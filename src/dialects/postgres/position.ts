/** Positions in the log: `16/B374D848` in SQL, a growing number here. */
const halfRange = 2 ** 32;

/** @returns null if the text is not a position, or the position is above the safe integers (eight petabytes of log) */
export function positionOf(text: string): number | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return null;
  const position = Number.parseInt(high, 16) * halfRange + Number.parseInt(low, 16);
  return Number.isSafeInteger(position) ? position : null;
}

/** The log only has the lower half of a transaction's number. Returns the full number that is nearest to `near`. */
export function wholeNumber(lower: number, near: number): number {
  const number = near - (near % halfRange) + lower;
  if (number - near > halfRange / 2) return number - halfRange;
  return near - number > halfRange / 2 ? number + halfRange : number;
}
