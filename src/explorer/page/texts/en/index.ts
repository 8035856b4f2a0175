/** All texts of the page in English. */
import { about } from './about.ts';
import { edit } from './edit.ts';
import { map } from './map.ts';
import { page } from './page.ts';
import { summary } from './summary.ts';

export const en = { page, about, edit, map, summary } as const;
