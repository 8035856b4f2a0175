/** Positions in the log: `16/B374D848` in SQL, a growing number here. */
const halfRange = 2 ** 32;

/** @returns null if the text is no position, or the position is too large for an exact number (eight petabytes of log) */
export function positionOf(text: string): number | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return null;
  const position = Number.parseInt(high, 16) * halfRange + Number.parseInt(low, 16);
  return Number.isSafeInteger(position) ? position : null;
}

/** Completes a transaction's number, of which the log has only the lower half, to the number nearest to `near`. */
export function wholeNumber(lower: number, near: number): number {
  const number = near - (near % halfRange) + lower;
  if (number - near > halfRange / 2) return number - halfRange;
  return near - number > halfRange / 2 ? number + halfRange : number;
}
