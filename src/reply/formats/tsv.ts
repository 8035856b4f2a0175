import { delimited } from './delimited.ts';
import type { DownloadFormat } from './format.ts';

/** Tab-separated values, quoted like CSV, as CKAN writes them. */
export const tsv: DownloadFormat = { ...delimited('\t'), mediaType: 'text/tab-separated-values' };
