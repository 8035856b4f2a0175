/** The texts of the tab About, in the language of the page. */
import { say } from '../../texts/index.ts';
import { type AboutTexts, en } from './en.ts';

export const words: AboutTexts = say.language === 'de' ? (await import('./de.ts')).de : en;
