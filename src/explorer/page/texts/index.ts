/** The language of the page: what the user chose before, else the language of the address, else the browser's. */
import { site } from '../ask/site.ts';
import { readItem, writeItem } from '../ask/storage.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** All languages of the page. They are bundled: loading one as a separate file would delay the page by a request. */
const all: readonly Texts[] = [en, de];
const key = 'explorer language';

export const languages = all.map(({ language, languageName }) => ({ id: language, name: languageName }));

const preferred = [readItem('localStorage', key), site.language, ...navigator.languages].map((one) => one.slice(0, 2));

export const say: Texts = preferred.flatMap((one) => all.filter(({ language }) => language === one))[0] ?? en;

/** Takes effect when the page is reloaded. */
export function chooseLanguage(id: string): void {
  writeItem('localStorage', key, id);
}

const numbers = new Intl.NumberFormat(say.language);
/** Formats a count. Not for values of records: their digits are shown as stored. */
export const shownCount = (n: number): string => numbers.format(n);
