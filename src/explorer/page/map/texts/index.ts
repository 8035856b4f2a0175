/** The texts of the map, in the language of the page. */
import { say } from '../../texts/index.ts';
import { de } from './de.ts';
import { en, type MapTexts } from './en.ts';

export const words: MapTexts = say.language === 'de' ? de : en;
