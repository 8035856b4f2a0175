/** Words of the configuration → terms of the EU vocabularies (https://op.europa.eu/en/web/eu-vocabularies). Pure. */
import type { DatasetFacts } from '../model/metadata.ts';

export const authority = 'http://publications.europa.eu/resource/authority/';

type Updates = NonNullable<DatasetFacts['updates']>;

const frequencies: Readonly<Record<Updates, string>> = {
  continuous: 'CONT',
  daily: 'DAILY',
  weekly: 'WEEKLY',
  monthly: 'MONTHLY',
  quarterly: 'QUARTERLY',
  yearly: 'ANNUAL',
  irregular: 'IRREG',
};

export const frequencyOf = (updates: Updates): string => `${authority}frequency/${frequencies[updates]}`;

export const themeOf = (code: string): string => `${authority}data-theme/${code}`;

/** The EU's three-letter language codes, by two-letter tag. */
const languages: ReadonlyMap<string, string> = new Map(
  `ar ARA,bg BUL,bs BOS,ca CAT,cs CES,cy CYM,da DAN,de DEU,el ELL,en ENG,es SPA,et EST,eu EUS,fi FIN,fr FRA,ga GLE,gl GLG,hr HRV,
  hu HUN,is ISL,it ITA,ja JPN,ko KOR,lb LTZ,lt LIT,lv LAV,mk MKD,mt MLT,nb NOB,nl NLD,nn NNO,no NOR,pl POL,pt POR,rm ROH,ro RON,
  ru RUS,sk SLK,sl SLV,sq SQI,sr SRP,sv SWE,tr TUR,uk UKR,zh ZHO`
    .split(',')
    .map((pair): [string, string] => [pair.trim().slice(0, 2), pair.trim().slice(3)]),
);

/** The EU's URI of a language; null for a two-letter tag that the table above lacks. */
export function languageOf(tag: string): string | null {
  const [primary = ''] = tag.split('-');
  const code = primary.length === 3 ? primary.toUpperCase() : languages.get(primary);
  return code === undefined ? null : `${authority}language/${code}`;
}
