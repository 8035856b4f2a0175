/** All texts of the page in German. */
import type { Texts } from '../words.ts';
import { about } from './about.ts';
import { edit } from './edit.ts';
import { map } from './map.ts';
import { page } from './page.ts';
import { summary } from './summary.ts';

export const texts: Texts = { page, about, edit, map, summary };
