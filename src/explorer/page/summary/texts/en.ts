/** English texts of the tab Summary. */
import type { Words } from '../../texts/en.ts';

export const en = {
  what: 'Choose what to count: it reads all records that match.',
  count: 'Count this column',
  notCounted: 'not counted yet',
  moreColumns: 'Show more columns',
  values: (shown: string, n: number) => (n === 1 ? '1 value' : `${shown} values`),
  lowest: 'lowest',
  highest: 'highest',
  first: 'first',
  last: 'last',
  noValue: 'no value',
  quarter: (n: string, year: string) => `Q${n} ${year}`,

  compare: 'Compare two columns',
  rows: 'Rows',
  columns: 'Columns',
  steps: 'Steps',
  eachValue: 'each value',
  width: 'Steps of',
  measure: 'Show',
  of: 'of',
  measures: { count: 'number of records', sum: 'sum', avg: 'average', min: 'lowest', max: 'highest' },
  run: 'Compare',
  all: 'all',
  nothing: 'No record matches.',
  isPart: (n: string) => `Only the largest groups are shown: they have ${n} of the records.`,
  pick: (names: string) => `Only ${names}`,
} as const;

/** The texts that every language must have. */
export type SummaryTexts = Words<typeof en>;
