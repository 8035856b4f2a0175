/** The language of the page: what the user chose before, else the language of the address, else the browser's. */
import { site } from '../ask/site.ts';
import { readItem, writeItem } from '../ask/storage.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** Both languages are bundled: loading one as a separate file would delay the page by a request. */
const all: Readonly<Record<string, Texts>> = { en, de };
const key = 'explorer language';

export const languages: readonly { readonly id: string; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
];

const preferred = [readItem('localStorage', key), site.language, ...navigator.languages].map((one) => one.slice(0, 2));

export const say: Texts = all[preferred.find((one) => Object.hasOwn(all, one)) ?? 'en'] ?? en;

/** Takes effect when the page is reloaded. */
export function chooseLanguage(id: string): void {
  writeItem('localStorage', key, id);
}

const numbers = new Intl.NumberFormat(say.language);
/** Formats a count. Not for values of records: their digits are shown as stored. */
export const shownCount = (n: number): string => numbers.format(n);
