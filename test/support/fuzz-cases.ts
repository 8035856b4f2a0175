/** Options of fast-check: `npm test` tries the same `few` cases every time, `npm run fuzz` as many new ones as it is told. */
export function fuzzCases(few: number): { readonly numRuns: number; readonly seed?: number } {
  const cases = process.env.FUZZ_CASES;
  return cases === undefined ? { numRuns: few, seed: 1 } : { numRuns: Number(cases) };
}
