/** The language of the page: that of the address, else the one chosen before, else the browser's. */
import { site } from '../ask/site.ts';
import { keep, kept } from '../ask/storage.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** Both are part of the program: a file of its own, known only to a script, would delay the page by a request. */
const all: Readonly<Record<string, Texts>> = { en, de };
const key = 'explorer language';

export const languages: readonly { readonly id: string; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
];

const wanted = [kept('localStorage', key), site.language, ...navigator.languages].map((one) => one.slice(0, 2));

export const say: Texts = all[wanted.find((one) => Object.hasOwn(all, one)) ?? 'en'] ?? en;

/** Takes effect when the page is loaded again. */
export function chooseLanguage(id: string): void {
  keep('localStorage', key, id);
}

const numbers = new Intl.NumberFormat(say.language);
/** A count for people. Values of records are never written this way. */
export const shownCount = (n: number): string => numbers.format(n);
