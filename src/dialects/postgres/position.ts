/** Positions in the log: `16/B374D848` in SQL, here a number that grows. */
const half = 2 ** 32;

/** Null where it is none, or too large to be exact (eight petabytes of log). */
export function positionOf(text: string): number | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return null;
  const position = Number.parseInt(high, 16) * half + Number.parseInt(low, 16);
  return Number.isSafeInteger(position) ? position : null;
}

/** The number nearest to `near` whose lower half is this: the log has only the lower half of a transaction's number. */
export function wholeNumber(lower: number, near: number): number {
  const number = near - (near % half) + lower;
  if (number - near > half / 2) return number - half;
  return near - number > half / 2 ? number + half : number;
}
