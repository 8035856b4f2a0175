import { delimited } from './delimited.ts';
import type { DownloadFormat } from './format.ts';

export const csv: DownloadFormat = { ...delimited(','), mediaType: 'text/csv' };
