import { delimited } from './delimited.ts';

/** Tabs, and still the quotes of CSV: what CKAN calls tsv. */
export const tsv = delimited('\t');
