/** The page's language: the user's earlier choice, else the address's language, else the browser's. */
import { site } from '../ask/site.ts';
import { readItem, writeItem } from '../ask/storage.ts';
import { en } from './en/index.ts';
import type { Texts } from './words.ts';

/**
 * All languages. To add one, copy another language's folder, translate its files, and add a line here. English is part of the first script,
 * and replaces a language that cannot be loaded. Each other language is a separate file, so that the first script stays short.
 */
const loads: Readonly<Record<string, () => Promise<{ readonly texts: Texts }>>> = {
  en: async () => ({ texts: en }),
  de: () => import('./de/index.ts'),
  fr: () => import('./fr/index.ts'),
};

const nameOf = (id: string): string => new Intl.DisplayNames(id, { type: 'language' }).of(id) ?? id;
export const languages = Object.keys(loads).map((id) => ({ id, name: nameOf(id) }));

const key = 'explorer language';
const preferred = [readItem('localStorage', key), site.language, ...navigator.languages].map((one) => one.slice(0, 2));

async function load(): Promise<Texts> {
  const id = preferred.find((one) => Object.hasOwn(loads, one)) ?? '';
  return (await loads[id]?.().catch(() => null))?.texts ?? en;
}

export const {
  page: say,
  about: aboutWords,
  edit: editWords,
  map: mapWords,
  summary: summaryWords,
}: Texts = await load();
export const languageName = nameOf(say.language);

/** Takes effect when the page is reloaded. */
export function chooseLanguage(id: string): void {
  writeItem('localStorage', key, id);
}

const numbers = new Intl.NumberFormat(say.language);
/** Formats a count. Don't use it for record values: their digits are shown as stored. */
export const shownCount = (n: number): string => numbers.format(n);
