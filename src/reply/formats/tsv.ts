import { delimited } from './delimited.ts';

/** Tabs, and still the quotes of CSV, as CKAN writes tsv. */
export const tsv = delimited('\t');
