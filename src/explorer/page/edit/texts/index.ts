/** The texts of the editing forms, in the language of the page. */
import { say } from '../../texts/index.ts';
import { type EditTexts, en } from './en.ts';

export const words: EditTexts = say.language === 'de' ? (await import('./de.ts')).de : en;
