/** Pure. The shortest decimal that rounds to this float32. MySQL may have widened the FLOAT to a double (docs/data-types.md). */
export function shortestFloat32(double: number): number {
  if (double === 0) return double; // -0 too: its digits have no sign
  // Between two adjacent float32 values there is always a number with six significant digits, except below the smallest normal float32.
  for (let digits = Math.abs(double) < 1.2e-38 ? 1 : 6; digits < 9; digits++) {
    const short = Number(double.toPrecision(digits));
    if (Math.fround(short) === Math.fround(double)) return short;
  }
  return Number(double.toPrecision(9));
}
