/** The texts of the tab Summary, in the language of the page. */
import { say } from '../../texts/index.ts';
import { de } from './de.ts';
import { en, type SummaryTexts } from './en.ts';

export const words: SummaryTexts = say.language === 'de' ? de : en;
