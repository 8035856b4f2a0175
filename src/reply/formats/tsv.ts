import { delimited } from './delimited.ts';
import type { DownloadFormat } from './format.ts';

/** Tabs, and still the quotes of CSV, as CKAN writes tsv. */
export const tsv: DownloadFormat = { ...delimited('\t'), mediaType: 'text/tab-separated-values' };
